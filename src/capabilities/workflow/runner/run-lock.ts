import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";

import { CheckpointError } from "../../../core/errors.ts";
import { refuseLinks } from "../../../core/store/private-files.ts";
import { lockFailed, lockFile, type FileLock } from "../../../core/store/sqlite/file-lock.ts";
import { DatabaseSync } from "../../../core/store/sqlite/node-sqlite.ts";
import { isBusy } from "../../../core/store/sqlite/sqlite-error.ts";
import { makeFolder } from "../engine/attempt-folder.ts";

/** `isLocked` holds the lock for microseconds; after this long, a runner really holds it. */
const PATIENCE_MS = 300;

/**
 * Takes the lock of one epoch of a run; undefined when another process holds it.
 * There is a file for each epoch, so that a takeover from a runner that is frozen, and therefore still holds its lock, has
 * one of its own.
 */
export function tryLock(runFolder: string, epoch: number): FileLock | undefined {
  makeFolder(runFolder);
  const path = lockPath(runFolder, epoch);
  closeSync(openSync(path, "a", 0o600));
  const lock = lockFile(path, PATIENCE_MS);
  if (lock === undefined) return undefined;
  let isHeld = true;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      try {
        // Removed while held: a process that opens the name now makes a new file, and learns from the epoch that it is too late.
        rmSync(path, { force: true });
      } catch {
        // A leftover file locks nothing, and an error here would hide the one that the run ended with.
      }
      lock.release();
    },
  };
}

/** Whether a runner holds the lock of this epoch. Never blocks a runner. */
export function isLocked(runFolder: string, epoch: number): boolean {
  const path = lockPath(runFolder, epoch);
  if (!existsSync(path)) return false;
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    database.exec("PRAGMA busy_timeout = 0");
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw lockFailed(path, error);
  } finally {
    database?.close();
  }
}

/** Where the lock is, if nothing else stands there: to open a pipe is to wait for a writer. */
function lockPath(runFolder: string, epoch: number): string {
  const path = join(runFolder, `lock-${epoch}`);
  refuseLinks(runFolder, path);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory())
    throw new CheckpointError("refused", `"${path}" is a folder, where the lock of a run should be.`, {
      hint: "Move it elsewhere, then look again: checkpoint runs",
      details: { path },
    });
  return path;
}
