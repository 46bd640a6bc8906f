import { randomInt } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  statfsSync,
  statSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { CheckpointError } from "../../errors.ts";
import { Connection } from "./connection.ts";
import { isLossFound, Mark, type Marked } from "./mark.ts";
import { isEmpty, migrate, needsMigration, olderFormat } from "./schema.ts";
import { explain, isBusy, isCannotShare } from "./sqlite-error.ts";
import { StoreFiles } from "./store-files.ts";

export interface OpenOptions {
  /** The file of the store. Its folder is made if it is missing, for you alone. */
  readonly path: string;
  /** Never writes, and fails when there is no store. */
  readonly readOnly?: boolean;
  /** Goes on with a store that has lost commits. What is left of its log stays beside it. */
  readonly acceptLoss?: boolean;
}

/** Before this version SQLite could corrupt a database that several connections write to. */
const MINIMUM_SQLITE = [3, 51, 3] as const;

/** File systems on which SQLite's shared memory does not work between machines. */
const NETWORK_FILE_SYSTEMS: Readonly<Record<number, string>> = {
  0x6969: "NFS",
  0x517b: "SMB",
  0xff534d42: "CIFS",
  0xfe534d42: "SMB2",
  0x01021997: "9P",
  0x6b414653: "AFS",
  0x73757245: "Coda",
};

/** How long an opening waits for others that open or create the same store. */
const PATIENCE_MS = 30_000;

/** Opens the database with every setting that durability depends on set, and read back. */
export async function openDatabase(options: OpenOptions): Promise<Connection> {
  const { path: given, readOnly = false, acceptLoss = false } = options;
  // The program may change its folder later.
  const path = resolve(given);
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return readOnly ? openToRead(path) : openToWrite(path, acceptLoss);
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw explain(error, path);
      await wait(randomInt(1, 8));
    }
  }
}

function openToWrite(path: string, acceptLoss: boolean): Connection {
  const folder = dirname(path);
  const mark = new Mark(path);
  // Before anything of the store is read: a commit in between would make the mark look ahead of it.
  const marked = mark.read();
  const firstMade = makePrivateFolder(folder);
  assertOwn(folder);
  assertLocal(folder);
  if (sizeOf(path) === 0 && (marked || sizeOf(`${path}-wal`) > 0)) throw storeMissing(path);
  if (!existsSync(path)) makePrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    assertVersions(db);
    // Only for a new file: on an existing one they would write, and wait for whoever else writes. Most rows are
    // short, and small pages make a commit write less.
    const isNew = isEmpty(db);
    if (isNew && marked) throw storeMissing(path);
    if (needsMigration(db, path))
      db.exec("PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cell_size_check = ON");
    assertDurable(db, path);
    migrate(db, path);
    if (firstMade !== undefined) syncParents(folder, firstMade);
    // A store whose tables are only in its log would be empty, and so made anew, if that log were lost.
    if (isNew) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    const connection = new Connection(db, path, { files: new StoreFiles(path), mark });
    const isLoss = findLoss(connection, mark, marked, acceptLoss);
    if (marked === undefined || isLoss)
      mark.write(
        connection.read(() => mark.newest(connection)),
        { accepts: isLoss },
      );
    return connection;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws when commits were lost, or returns whether they were if that is accepted. Other damage is left to who meets it. */
function findLoss(
  connection: Connection,
  mark: Mark,
  marked: Marked | undefined,
  isAccepted: boolean,
): boolean {
  try {
    connection.read(() => mark.assertAgrees(connection, marked));
  } catch (error) {
    if (isLossFound(error) && !isAccepted) throw error;
    return isLossFound(error);
  }
  return false;
}

function openToRead(path: string): Connection {
  const mark = new Mark(path);
  const marked = mark.read();
  if (!existsSync(path)) throw noStore(path);
  assertOwn(dirname(path));
  const db = openReadOnly(path);
  try {
    assertVersions(db);
    if (needsMigration(db, path)) throw isEmpty(db) ? noStore(path) : olderFormat(path);
    db.exec("PRAGMA busy_timeout = 10000");
    const connection = new Connection(db, path);
    findLoss(connection, mark, marked, false);
    return connection;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** In a folder that cannot be written SQLite cannot share the store; without a log left over it need not. */
function openReadOnly(path: string): DatabaseSync {
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    db.prepare("PRAGMA user_version").get();
    return db;
  } catch (error) {
    db?.close();
    if (!isCannotShare(error) || sizeOf(`${path}-wal`) > 0) throw error;
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { readOnly: true });
  }
}

/** Returns the outermost folder that had to be made. */
function makePrivateFolder(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CheckpointError("failed", `The folder "${folder}" cannot be made.`, {
      hint: "Check that its parent exists and that you may write to it.",
      details: { folder },
      cause,
    });
  }
}

/**
 * Makes new folders as durable as what will be in them: SQLite syncs the names of its files, but not the name of the
 * folder that they are in.
 */
function syncParents(folder: string, firstMade: string): void {
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) {
    const parent = openFolder(dirname(made));
    if (parent === undefined) continue;
    try {
      fsyncSync(parent);
    } finally {
      closeSync(parent);
    }
  }
}

/** Undefined where folders cannot be opened, as on Windows, or not this one: then nothing can be done about it. */
function openFolder(path: string): number | undefined {
  try {
    return process.platform === "win32" ? undefined : openSync(path, "r");
  } catch {
    return undefined;
  }
}

/** SQLite gives its log and shared memory the mode of the main file, so that decides for all three. */
function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  } catch (cause) {
    throw new CheckpointError("failed", `The store "${path}" cannot be created.`, {
      hint: "Make its folder writable for you, or choose another one.",
      details: { path },
      cause,
    });
  }
}

/** A store that somebody else planted could hold anything: it is not opened. */
function assertOwn(folder: string): void {
  const me = process.geteuid?.();
  const owner = statSync(folder).uid;
  if (me === undefined || owner === me) return;
  throw new CheckpointError("refused", `The folder "${folder}" belongs to another user.`, {
    hint: "Use a folder of your own.",
    details: { folder, owner },
  });
}

function assertLocal(folder: string): void {
  const name = NETWORK_FILE_SYSTEMS[statfsSync(folder).type];
  if (name === undefined) return;
  throw new CheckpointError(
    "refused",
    `The folder "${folder}" is on a network file system (${name}), where SQLite cannot keep its promises.`,
    {
      hint: "Put the store on a local disk.",
      details: { folder, fileSystem: name },
    },
  );
}

function assertVersions(db: DatabaseSync): void {
  const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.version);
  const parts = version.split(".").map(Number);
  const difference =
    MINIMUM_SQLITE.map((minimum, index) => (parts[index] ?? 0) - minimum).find((part) => part !== 0) ?? 0;
  if (difference < 0) throw tooOld(`SQLite ${version}, where ${MINIMUM_SQLITE.join(".")} is needed`);
}

function tooOld(what: string): CheckpointError {
  return new CheckpointError("missing-dependency", `This Node has ${what}.`, {
    hint: "Use Node 22.22.3 or newer, or 24.15 or newer.",
  });
}

function assertDurable(db: DatabaseSync, path: string): void {
  const mode = String(db.prepare("PRAGMA journal_mode").get()?.journal_mode);
  const level = Number(db.prepare("PRAGMA synchronous").get()?.synchronous);
  if (mode === "wal" && level === 2) return;
  throw new CheckpointError(
    "failed",
    `The store "${path}" cannot be made durable here (journal ${mode}, synchronous ${level}).`,
    {
      hint: "Put the store on a local disk.",
      details: { path, mode, level },
    },
  );
}

/** An empty store in the place of a lost one would hide that it is lost. */
function storeMissing(path: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `"${path}" is missing or empty, though other files of the store are there.`,
    {
      hint: "Put the file back if you have it. To start a new store, move the whole folder away.",
      details: { path },
    },
  );
}

function noStore(path: string): CheckpointError {
  return new CheckpointError("not-found", `There is no store at "${path}".`, {
    hint: "checkpoint now",
    details: { path },
  });
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
