import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statfsSync,
} from "node:fs";
import { dirname } from "node:path";

import { CheckpointError } from "../../errors.ts";

/** SQLite's primary result codes that need words of their own. */
const BUSY = 5;
const LOCKED = 6;
const NOMEM = 7;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const CONSTRAINT = 19;
const NOTADB = 26;

interface SqliteError extends Error {
  readonly errcode: number;
}

export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number";
}

/** What readers and writers share cannot be made: there is no room even for that. */
const IOERR_SHMSIZE = 4874;

function primaryCode(error: unknown): number | undefined {
  if (!isSqliteError(error)) return undefined;
  return error.errcode === IOERR_SHMSIZE ? FULL : error.errcode & 0xff;
}

export const isBusy = (error: unknown) => primaryCode(error) === BUSY || primaryCode(error) === LOCKED;
/** A value that its column does not take. */
export const isConstraint = (error: unknown) => primaryCode(error) === CONSTRAINT;
export const isFull = (error: unknown) => primaryCode(error) === FULL;
/** How SQLite says, on a disk or in a folder that cannot be written, that it cannot make what readers share. */
export const isCannotShare = (error: unknown) =>
  primaryCode(error) === CANTOPEN || primaryCode(error) === READONLY;

/** After one of these the operating system may have dropped writes that it had accepted: nothing more can be promised. */
export const isWriteFault = (error: unknown) => primaryCode(error) === IOERR;

/** Says what happened in our words; errors that are not SQLite's pass through. */
export function explain(error: unknown, path: string): unknown {
  if (!isSqliteError(error)) return error;
  const code = primaryCode(error) as number;
  if (code === NOTADB) return notAStore(path, error);
  const wording = wordings[meaningOf(code, path)];
  if (wording === undefined) return bug(error, path);
  const { code: kind, message, hint } = wording(path);
  return new CheckpointError(kind, message, { hint, details: { path, sqlite: error.message }, cause: error });
}

/** SQLite also says "damaged" of what a dying disk does not give back, and "cannot open" on a disk that is read-only. */
function meaningOf(code: number, path: string): number {
  if (code === CORRUPT && !isReadable(path)) return IOERR;
  return code === CANTOPEN && isReadOnly(dirname(path)) ? READONLY : code;
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EROFS";
  }
}

/** Whether the disk gives every byte of the store back. Only asked when something is wrong. */
function isReadable(path: string): boolean {
  return [path, `${path}-wal`].every((file) => !existsSync(file) || isFileReadable(file));
}

function isFileReadable(path: string): boolean {
  const chunk = Buffer.alloc(1024 * 1024);
  // To close another descriptor of a file would give up the locks that SQLite has on it.
  const opened = openDescriptorOf(path);
  try {
    const file = opened ?? openSync(path, "r");
    try {
      for (let at = 0, read = -1; read !== 0; at += read) read = readSync(file, chunk, 0, chunk.length, at);
      return true;
    } finally {
      if (opened === undefined) closeSync(file);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EIO";
  }
}

/** Undefined for a descriptor that is gone by now. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined;
  }
}

/** The descriptor by which this process has a file open, where the system tells. */
function openDescriptorOf(path: string): number | undefined {
  try {
    const real = realpathSync(path);
    const found = readdirSync("/proc/self/fd").find((name) => targetOf(`/proc/self/fd/${name}`) === real);
    return found === undefined ? undefined : Number(found);
  } catch {
    return undefined;
  }
}

type Wording = (path: string) => { code: CheckpointError["code"]; message: string; hint: string };

const wordings: Record<number, Wording> = {
  [BUSY]: (path) => ({
    code: "conflict",
    message: `The store "${path}" is busy: another process has kept its write lock for too long.`,
    hint: "Try again; if it stays busy, look for a process that holds the store open: checkpoint doctor",
  }),
  [NOMEM]: (path) => ({
    code: "failed",
    message: `There was not enough memory to work on the store "${path}". Nothing was changed.`,
    hint: "Close other programs, then try again.",
  }),
  [READONLY]: (path) => ({
    code: "failed",
    message: `The store "${path}" cannot be written: it or its folder is read-only.`,
    hint: "Make the folder writable for you, or choose another one.",
  }),
  [IOERR]: (path) => ({
    code: "failed",
    message: `The disk reported an error on the store "${path}". What was saved before is kept; nothing new was.`,
    hint: "checkpoint doctor",
  }),
  [CORRUPT]: (path) => ({
    code: "corrupt",
    message: `The store "${path}" is damaged.`,
    hint: "checkpoint verify\nIf that says the same, copy what can be read into a new store: checkpoint store salvage\nOr move the folder away and bring a copy back: checkpoint mirror restore, or checkpoint backup restore FILE",
  }),
  [FULL]: (path) => ({
    code: "failed",
    message: `The disk is full: there is no space left for the store "${path}". Nothing was changed.`,
    hint: `Free at least 1 MB of disk space${freeOn(path)}, then try again. What was saved can be read.`,
  }),
  [CANTOPEN]: (path) => ({
    code: "failed",
    message: `The store "${path}" cannot be opened.`,
    hint: "Check that the folder exists and that you may write to it.",
  }),
};

/** What is said of a file that is not ours, whether SQLite can read it or not. */
export function notAStore(path: string, cause?: Error): CheckpointError {
  return new CheckpointError("corrupt", `"${path}" is not a Cairn store.`, {
    hint: "Nothing was changed. Choose another folder, or move this file away to start a new store.\nIf it was one, copy what can be read into a new store: checkpoint store salvage",
    details: { path, ...(cause && { sqlite: cause.message }) },
    cause,
  });
}

/** How much there is by now: somebody else may have made room, or used it up. */
function freeOn(path: string): string {
  try {
    const { bavail, bsize } = statfsSync(dirname(path));
    return ` (${Math.floor((bavail * bsize) / 1000)} kB are free)`;
  } catch {
    return "";
  }
}

/** What a handle says after a write or a sync has failed. */
export function diskFailed(path: string): CheckpointError {
  return new CheckpointError(
    "failed",
    `The store "${path}" had a disk error and takes nothing more through this handle.`,
    {
      hint: "Check the disk, then open the store again: checkpoint doctor",
      details: { path },
    },
  );
}

/** What a handle says once it has found that it writes into files that are no longer the store's. */
export function storeLost(path: string, file: string): CheckpointError {
  return new CheckpointError(
    "failed",
    `"${file}" was deleted, moved, replaced or truncated while the store was in use. This change may be lost, and no other is saved until the store is opened again.`,
    {
      hint: "If it was moved, move it back. What is left: checkpoint doctor",
      details: { path, file, store: "gone" },
    },
  );
}

function bug(error: SqliteError, path: string): CheckpointError {
  return new CheckpointError("failed", `SQLite failed on the store "${path}": ${error.message}.`, {
    hint: "checkpoint doctor",
    details: { path, sqlite: error.message, errcode: error.errcode },
    cause: error,
  });
}
