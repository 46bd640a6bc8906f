import { createHash } from "node:crypto";
import { constants, createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, link, open, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Progress } from "../../../core/store/contract.ts";
import { copyStoreFile } from "../../../core/store/sqlite/copy-store.ts";
import { keepOutOfGit, makePrivateFolder, syncFolder } from "../../../core/store/private-files.ts";
import { dropAnchor } from "../../../work/project/anchor.ts";
import { hasStore, noCheckpointYet } from "../../../work/project/find-project.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { checked, withFolder } from "../mirror/checked-copy.ts";

export interface BackupInput extends Progress {
  /** An absolute path. */
  readonly file: string;
}

/** Writes the whole store into one new file, checked byte by byte, while others go on writing. */
export async function backup(project: Project, { file, onProgress }: BackupInput) {
  if (!hasStore(project)) throw noCheckpointYet();
  if (existsSync(file)) throw alreadyThere(file);
  if (!existsSync(dirname(file))) throw noFolder(dirname(file));
  await askGate(project, "keep.backup");
  return withFolder(project.folder, async (folder) => {
    const copy = join(folder, STORE_FILE);
    await copyStoreFile(join(project.folder, STORE_FILE), copy, { onProgress });
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
    const hint = "Use another backup. This one was changed since it was written.";
    const report = await checked(copy, hint).catch((error: unknown) => {
      throw isCheckpointError(error) && !("damage" in error.details) ? notABackup(file, error) : error;
    });
    await sync(copy);
    refuseExisting(project);
    // Fails, where a rename would replace a store that another process made meanwhile.
    await link(copy, join(project.folder, STORE_FILE));
    dropAnchor(project, { isNew: true });
    return { file, store: project.folder, ...report };
  });
}

/**
 * Writes a copy that was not there before, for its owner alone, and reads it again. It gets its name at the very end:
 * killed at any point, no part of it passes for a backup.
 */
async function writeNew(from: string, to: string): Promise<void> {
  const write = async (beside: string) => {
    const copy = join(beside, basename(to));
    await pipeline(
      createReadStream(from),
      createWriteStream(copy, { mode: 0o600, flags: "wx", flush: true }),
    );
    if ((await hashOf(from)) !== (await hashOf(copy)))
      throw new CheckpointError("failed", `"${to}" does not hold what was written to it.`, {
        hint: "Check the disk, or use another one.",
        details: { file: to },
      });
    await nameNew(copy, to);
    syncFolder(dirname(to));
  };
  await withFolder(dirname(to), write, "unfinished-backup-");
}

const NO_HARD_LINKS = new Set<string | undefined>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);

/** By a link, which fails where a rename would replace what another process made meanwhile. FAT has no links. */
async function nameNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || existsSync(to)) throw alreadyThere(to);
    if (!NO_HARD_LINKS.has(code)) throw error;
    await rename(from, to);
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

/** Whatever is wrong with it, the copy that was looked at is gone by now, and nobody knows it. */
function notABackup(file: string, cause: CheckpointError): CheckpointError {
  return new CheckpointError("corrupt", `"${file}" is not a backup, or only a part of one.`, {
    hint: "Use a file that checkpoint backup wrote.",
    details: { file },
    cause,
  });
}

function noFolder(folder: string): CheckpointError {
  return new CheckpointError("not-found", `There is no folder "${folder}".`, {
    hint: "Check the path.",
    details: { folder },
  });
}

function alreadyThere(file: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${file}".`, {
    hint: "Choose another name.",
    details: { file },
  });
}
