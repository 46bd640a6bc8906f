import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { CheckpointError } from "../../errors.ts";
import { Connection } from "./connection.ts";
import { isLogAtRisk, isLossFound } from "./lost-log.ts";
import { Mark, type Marked } from "./mark.ts";
import {
  assertLocal,
  assertOwn,
  assertOwnFiles,
  keepOutOfGit,
  makePrivateFile,
  makePrivateFolder,
  refuseLinkedStore,
  sizeOf,
  syncParents,
} from "../private-files.ts";
import type { StoreIdentity } from "../contract.ts";
import { StoreFiles } from "../store-files.ts";
import { isEmpty, migrate, needsMigration, olderFormat } from "./schema.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { explain, isBusy, isCannotShare, isFull } from "./sqlite-error.ts";

export interface OpenOptions {
  /** The file of the store. Its folder is made if it is missing, for you alone. */
  readonly path: string;
  /** Never writes, and fails when there is no store. */
  readonly readOnly?: boolean;
  /** Goes on with a store that has lost commits. What is left of its log stays beside it. */
  readonly acceptLoss?: boolean;
}

/** Before this version SQLite could corrupt a database that several connections write to. */
const MINIMUM_SQLITE = "3.51.3";

/** As SQLite writes a version in one number. */
const versionNumber = (version: string) =>
  version.split(".").reduce((number, part) => number * 1000 + Number(part), 0);

/** How long opening retries while others hold the lock. */
const PATIENCE_SECONDS = 30;

/** Opens the database with every setting that durability depends on set, and read back. */
export async function openDatabase(options: OpenOptions, identity?: StoreIdentity): Promise<Connection> {
  const { path: given, readOnly = false, acceptLoss = false } = options;
  // The program may change its folder later.
  const path = resolve(given);
  refuseLinkedStore(path);
  const deadline = process.uptime() + PATIENCE_SECONDS;
  for (;;) {
    try {
      return readOnly ? openToRead(path) : openToWrite(path, acceptLoss, identity);
    } catch (error) {
      if (!isBusy(error) || process.uptime() > deadline) throw explain(error, path);
      await wait(randomInt(1, 8));
    }
  }
}

/** A database that nobody else can reach, without files. */
export function openInMemory(): Connection {
  const path = ":memory:";
  const db = new DatabaseSync(path);
  assertVersions(db);
  migrate(db);
  return new Connection(db, path);
}

function openToWrite(path: string, acceptLoss: boolean, identity?: StoreIdentity): Connection {
  const folder = dirname(path);
  const mark = new Mark(path);
  // Before anything of the store is read: a commit in between would make the mark look ahead of it.
  const marked = mark.read();
  const firstMade = makePrivateFolder(folder);
  assertOwn(folder);
  assertOwnFiles(path);
  assertLocal(folder);
  assertNotLost(path, marked);
  if (!existsSync(path)) makePrivateFile(path);
  const db = new DatabaseSync(path);
  try {
    assertVersions(db);
    // Only for a new file: on an existing one they would write, and block on other writers. Most rows are
    // short, and small pages make a commit write less.
    const isNew = isEmpty(db);
    if (isNew && marked) throw storeMissing(path);
    const isOlder = needsMigration(db, path);
    if (isOlder)
      db.exec("PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    db.exec("PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0; PRAGMA cell_size_check = ON");
    assertDurable(db, path);
    if (isOlder) migrate(db, identity);
    if (firstMade !== undefined) keepOutOfGit(folder);
    // The caller may have made the folder a moment ago, without a sync.
    if (isNew) syncParents(folder, firstMade ?? folder);
    // A store whose tables are only in its log would be empty, and so made again, if that log were lost.
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
    // Left open where closing would delete the only copy of a log that somebody may still need.
    if (!isLogAtRisk(error)) db.close();
    throw error;
  }
}

/** Throws when commits were lost, or returns whether they were if that is accepted. Other damage surfaces when it is read. */
function findLoss(
  connection: Connection,
  mark: Mark,
  marked: Marked | undefined,
  isAccepted: boolean,
): boolean {
  try {
    connection.read(() => mark.assertAgrees(connection, marked));
  } catch (error) {
    if (isLossFound(error) && (!isAccepted || isLogAtRisk(error))) throw error;
    return isLossFound(error);
  }
  return false;
}

function openToRead(path: string): Connection {
  const mark = new Mark(path);
  const marked = mark.read();
  assertNotLost(path, marked);
  if (!existsSync(path)) throw noStore(path);
  assertOwn(dirname(path));
  assertOwnFiles(path);
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

/**
 * In a folder that cannot be written, or on a full disk, SQLite cannot share the store; without a log left over it need
 * not. With one, on a full disk, the store is read by one process at a time.
 */
function openReadOnly(path: string): Database {
  let db: Database | undefined;
  try {
    db = new DatabaseSync(path, { readOnly: true });
    db.prepare("PRAGMA user_version").get();
    return db;
  } catch (error) {
    db?.close();
    if (!isCannotShare(error) && !isFull(error)) throw error;
    if (sizeOf(`${path}-wal`) > 0) return openAlone(path, error);
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    return new DatabaseSync(url, { readOnly: true });
  }
}

function openAlone(path: string, error: unknown): Database {
  if (!isFull(error)) throw error;
  const db = new DatabaseSync(path);
  db.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA query_only = ON");
  return db;
}

function assertVersions(db: Database): void {
  const version = String(db.prepare("SELECT sqlite_version() AS version").get()?.version);
  if (versionNumber(version) >= versionNumber(MINIMUM_SQLITE)) return;
  throw new CheckpointError(
    "missing-dependency",
    `This Node has SQLite ${version}, where ${MINIMUM_SQLITE} is needed.`,
    { hint: "Use Node 22.22.3 or newer, or 24.15 or newer." },
  );
}

function assertDurable(db: Database, path: string): void {
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

/** An empty store instead of a lost one would hide that it is lost. */
function assertNotLost(path: string, marked: Marked | undefined): void {
  if (sizeOf(path) === 0 && (marked || sizeOf(`${path}-wal`) > 0)) throw storeMissing(path);
}

function storeMissing(path: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `"${path}" is missing or empty, though other files of the store are there.`,
    {
      hint: "Put the file back if you have it. To copy what is left into a new store: checkpoint store salvage\nTo start a new store, move the whole folder away.",
      details: { path, store: "gone" },
    },
  );
}

function noStore(path: string): CheckpointError {
  return new CheckpointError("not-found", `There is no store at "${path}".`, {
    hint: "checkpoint now",
    details: { path },
  });
}
