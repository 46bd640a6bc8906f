import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "../../store/sqlite/node-sqlite.ts";

import { refuseLinks } from "../../store/refuse-links.ts";
import { makeFolder } from "../engine/attempt-folder.ts";

/** Held until it is released or the process dies in any way: then the kernel releases it. */
export interface RunLock {
  release(): void;
}

const BUSY = 5;

/** `isLocked` holds the lock for microseconds; after this long, a runner really holds it. */
const PATIENCE_MS = 300;

/**
 * Takes the lock of one epoch of a run; undefined when another process holds it.
 *
 * The lock is SQLite's own on an empty file: the one lock in plain Node that works on every system, that the
 * kernel releases when its holder dies, and that the holder's children do not inherit. There is a file for each
 * epoch, so that a takeover from a runner that is frozen, and therefore still holds its lock, has one of its own.
 */
export function tryLock(runFolder: string, epoch: number): RunLock | undefined {
  makeFolder(runFolder);
  const path = lockFile(runFolder, epoch);
  refuseLinks(runFolder, path);
  closeSync(openSync(path, "a", 0o600));
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  let isHeld = true;
  return {
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      // Removed while held: a process that opens the name now makes a new file, and learns from the epoch that it is too late.
      removeIfPossible(path);
      database.close();
    },
  };
}

/** A leftover file locks nothing, and an error here would hide the one that the run ended with. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== "string") throw error;
  }
}

/** Whether a runner holds the lock of this epoch. Never blocks a runner. */
export function isLocked(runFolder: string, epoch: number): boolean {
  const path = lockFile(runFolder, epoch);
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    database.exec("PRAGMA busy_timeout = 0");
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

const lockFile = (runFolder: string, epoch: number) => join(runFolder, `lock-${epoch}`);

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && (error.errcode as number) % 256 === BUSY;
}
