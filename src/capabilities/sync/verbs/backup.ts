import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { STORE_FILE } from "../../../core/trails/store-file.ts";
import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { Progress } from "../../../core/store/contract.ts";
import { copyStoreFile } from "../../../core/store/sqlite/copy-store.ts";
import {
  keepOutOfGit,
  makePrivateFolder,
  syncFolder,
  syncParents,
} from "../../../core/store/private-files.ts";
import { nameNew } from "../../../core/store/write-private.ts";
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
  if (!existsSync(dirname(file))) throw nothingAt("folder", dirname(file));
  await askGate(project, "keep.backup");
  return withFolder(project.folder, async (folder) => {
    const copy = join(folder, STORE_FILE);
    await copyStoreFile(join(project.folder, STORE_FILE), copy, { onProgress });
    // Here and not where it goes: SQLite cannot open a store on a share.
    const report = await checked(copy, "The store itself is damaged: checkpoint verify");
    await writeNew(copy, file);
    return { file, bytes: (await stat(file)).size, ...report };
  });
}

/** Makes the store of a project that has none from a backup, after checking every byte of it. */
export async function backupRestore(project: Project, { file }: { readonly file: string }) {
  if (!existsSync(file)) throw nothingAt("file", file);
  const report = await restoreStore(project, file, (copy) => writeCopy(file, copy));
  return { file, store: project.folder, ...report };
}

/** Makes the store of a project that has none from a copy of one, which `take` brings from `file`. */
export async function restoreStore(project: Project, file: string, take: (copy: string) => Promise<void>) {
  const { folder: home } = project;
  refuseExisting(home);
  const firstMade = makePrivateFolder(home);
  if (firstMade !== undefined) keepOutOfGit(home);
  return withFolder(home, async (folder) => {
    const copy = join(folder, STORE_FILE);
    await take(copy);
    const hint = "Use another backup. This one was changed since it was written.";
    const report = await checked(copy, hint).catch((error: unknown) => {
      throw isCheckpointError(error) && !("damage" in error.details) ? notABackup(file, error) : error;
    });
    refuseExisting(home);
    if (!nameNew(copy, join(home, STORE_FILE))) throw storeThere(home);
    syncFolder(home);
    if (firstMade !== undefined) syncParents(home, firstMade);
    dropAnchor(project, { isNew: true });
    return report;
  });
}

/**
 * Writes a copy that was not there before, for its owner alone, and reads it again. It gets its name at the very end:
 * killed at any point, no part of it passes for a backup.
 */
async function writeNew(from: string, to: string): Promise<void> {
  const write = async (folder: string) => {
    const copy = join(folder, basename(to));
    await writeCopy(from, copy);
    if ((await hashOf(from)) !== (await hashOf(copy)))
      throw new CheckpointError("failed", `"${to}" does not hold what was written to it.`, {
        hint: "Check the disk, or use another one.",
        details: { file: to },
      });
    if (!nameNew(copy, to)) throw alreadyThere(to);
    syncFolder(dirname(to));
  };
  await withFolder(dirname(to), write, "unfinished-backup-");
}

/** Resolves once the disk has it. */
function writeCopy(from: string, to: string): Promise<void> {
  return pipeline(createReadStream(from), createWriteStream(to, { mode: 0o600, flags: "wx", flush: true }));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

function refuseExisting(folder: string): void {
  if (["", "-wal", "-shm", "-mark"].some((ending) => existsSync(join(folder, STORE_FILE + ending))))
    throw storeThere(folder);
}

function storeThere(folder: string): CheckpointError {
  return new CheckpointError("conflict", `There is a store in "${folder}" already.`, {
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

function nothingAt(kind: "file" | "folder", path: string): CheckpointError {
  return new CheckpointError("not-found", `There is no ${kind} "${path}".`, {
    hint: "Check the path.",
    details: { [kind]: path },
  });
}

function alreadyThere(file: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${file}".`, {
    hint: "Choose another name.",
    details: { file },
  });
}
