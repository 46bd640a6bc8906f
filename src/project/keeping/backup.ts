import { createHash } from "node:crypto";
import { constants, createReadStream, existsSync } from "node:fs";
import { copyFile, link, lstat, mkdtemp, open, readdir, rm, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { STORE_FILE } from "../../checkpoints/store-file.ts";
import { CheckpointError } from "../../errors.ts";
import type { Progress, VerifyReport } from "../../store/contract.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { copyStore } from "../../store/sqlite/copy-store.ts";
import { keepOutOfGit, makePrivateFolder } from "../../store/private-files.ts";
import { dropAnchor } from "../anchor.ts";
import { hasStore, noCheckpointYet } from "../find-project.ts";
import { askGate } from "../gate/ask-gate.ts";
import type { Project } from "../project.ts";

export interface BackupInput extends Progress {
  /** An absolute path. */
  readonly file: string;
}

/** Writes the whole store into one new file, checked byte by byte, while others go on writing. */
export async function backup(project: Project, { file, onProgress }: BackupInput) {
  if (!hasStore(project)) throw noCheckpointYet();
  await askGate(project, "keep.backup");
  return withFolder(project.folder, async (folder) => {
    const copy = join(folder, STORE_FILE);
    await copyStore(join(project.folder, STORE_FILE), copy, { onProgress });
    const report = await checked(copy, "The store itself is damaged: checkpoint verify");
    await writeNew(copy, file);
    return { file, bytes: (await stat(file)).size, ...report };
  });
}

/** Makes the store of a project that has none from a backup, after checking every byte of it. */
export async function backupRestore(project: Project, { file }: { readonly file: string }) {
  if (!existsSync(file))
    throw new CheckpointError("not-found", `There is no file "${file}".`, {
      hint: "Check the path.",
      details: { file },
    });
  refuseExisting(project);
  if (makePrivateFolder(project.folder) !== undefined) keepOutOfGit(project.folder);
  return withFolder(project.folder, async (folder) => {
    const copy = join(folder, STORE_FILE);
    await copyFile(file, copy, constants.COPYFILE_EXCL);
    const report = await checked(copy, "Use another backup. This one was changed since it was written.");
    await sync(copy);
    refuseExisting(project);
    // Fails, where a rename would replace a store that another process made meanwhile.
    await link(copy, join(project.folder, STORE_FILE));
    dropAnchor(project, { isNew: true });
    return { file, store: project.folder, ...report };
  });
}

const UNCHECKED = ".backup-";

/** No backup takes that long: what is older was left by one that was killed, and holds a copy of everything. */
const LEFT_AFTER_MS = 24 * 60 * 60 * 1000;

/** A folder for what is not checked yet, beside the store: on a local disk, and for this user alone. */
async function withFolder<Result>(parent: string, use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(parent, UNCHECKED));
  await removeLeft(parent, folder);
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Dated by the file system itself. */
async function removeLeft(parent: string, fresh: string): Promise<void> {
  const now = (await stat(fresh)).mtimeMs;
  for (const name of (await readdir(parent)).filter((each) => each.startsWith(UNCHECKED))) {
    const left = join(parent, name);
    const { mtimeMs } = (await lstat(left).catch(() => undefined)) ?? { mtimeMs: now };
    if (now - mtimeMs > LEFT_AFTER_MS) await rm(left, { recursive: true, force: true });
  }
}

async function checked(
  path: string,
  hint: string,
): Promise<Pick<VerifyReport, "objects" | "checkpoints" | "trails">> {
  const store = await openSqliteStore({ path, readOnly: true });
  try {
    const { objects, checkpoints, trails, damage } = await store.verify();
    if (damage.length === 0) return { objects, checkpoints, trails };
    throw new CheckpointError("corrupt", `${damage.length} parts of it are damaged: ${damage[0]?.what}`, {
      hint,
      details: { damage: damage.length },
    });
  } finally {
    await store.close();
  }
}

/** Writes a copy that was not there before, for its owner alone, and reads it again. */
async function writeNew(from: string, to: string): Promise<void> {
  const target = await open(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600).catch(
    (error: unknown) => {
      throw (error as NodeJS.ErrnoException).code === "EEXIST" ? alreadyThere(to) : error;
    },
  );
  try {
    await pipeline(createReadStream(from), target.createWriteStream({ flush: true }));
    if ((await hashOf(from)) !== (await hashOf(to)))
      throw new CheckpointError("failed", `"${to}" does not hold what was written to it.`, {
        hint: "Check the disk, or use another one.",
        details: { file: to },
      });
  } catch (error) {
    await unlink(to);
    throw error;
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

async function sync(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

function refuseExisting({ folder }: Pick<Project, "folder">): void {
  const found = ["", "-wal", "-shm", "-mark"].find((ending) => existsSync(join(folder, STORE_FILE + ending)));
  if (found === undefined) return;
  throw new CheckpointError("conflict", `There is a store in "${folder}" already.`, {
    hint: `Move the folder away first. To see what is in it: checkpoint trails`,
    details: { folder },
  });
}

function alreadyThere(file: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${file}".`, {
    hint: "Choose another name.",
    details: { file },
  });
}
