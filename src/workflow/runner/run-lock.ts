import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";

import { CheckpointError } from "../../errors.ts";
import { refuseLinks } from "../../store/private-files.ts";
import { DatabaseSync } from "../../store/sqlite/node-sqlite.ts";
import { isBusy } from "../../store/sqlite/sqlite-error.ts";
import { makeFolder } from "../engine/attempt-folder.ts";

/** Held until it is released or the process dies in any way: then the kernel releases it. */
export interface RunLock {
  release(): void;
}

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
  const database = openExclusively(path);
  if (database === undefined) return undefined;
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

function openExclusively(path: string): Database | undefined {
  let database: Database | undefined;
  try {
    database = new DatabaseSync(path);
    database.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}; BEGIN EXCLUSIVE`);
    return database;
  } catch (error) {
    database?.close();
    if (isBusy(error)) return undefined;
    throw lockFailed(path, error);
  }
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

const lockFile = (runFolder: string, epoch: number) => join(runFolder, `lock-${epoch}`);

function lockFailed(path: string, cause: unknown): CheckpointError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new CheckpointError("failed", `The lock of this run, "${path}", cannot be used: ${reason}.`, {
    hint: "Check the disk: checkpoint doctor",
    details: { path },
    cause,
  });
}
