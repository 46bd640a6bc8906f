import { randomBytes, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { CheckpointError, isCheckpointError } from "../../errors.ts";
import { LOG_VIEWS } from "../log-views.ts";
import type { StoreIdentity } from "../contract.ts";
import { newerFormat } from "../refusals.ts";
import { migrateFromFormat1, migrateFromFormat2 } from "./older-formats.ts";
import { notAStore } from "./sqlite-error.ts";

/** "CAIR" in ASCII: tells our files from other SQLite databases. */
const APPLICATION_ID = 0x43414952;

/** The version of what a store holds. A store of an earlier one is brought over when it is opened for writing. */
const FORMAT_VERSION = 3;

const TABLES = `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
  CREATE TABLE counters(sweeps INTEGER NOT NULL, last_row INTEGER NOT NULL, last_sequence INTEGER NOT NULL);
  INSERT INTO counters VALUES (0, 0, 0);
  CREATE TABLE objects(id INTEGER PRIMARY KEY, base INTEGER, depth INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE TABLE ids(hash BLOB PRIMARY KEY, object INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE trails(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, head BLOB, removed INTEGER NOT NULL);
  CREATE TABLE checkpoints(
    sequence INTEGER PRIMARY KEY, trail INTEGER NOT NULL, object INTEGER NOT NULL, key BLOB NOT NULL,
    created INTEGER NOT NULL, parent BLOB, foreign_id TEXT
  );
  CREATE UNIQUE INDEX checkpoints_by_object ON checkpoints(object, trail);
  CREATE INDEX checkpoints_of_trail ON checkpoints(trail);
  CREATE UNIQUE INDEX checkpoints_by_foreign_id ON checkpoints(trail, foreign_id) WHERE foreign_id IS NOT NULL;
  CREATE TABLE forks(parent BLOB NOT NULL, trail INTEGER NOT NULL, PRIMARY KEY (parent, trail)) WITHOUT ROWID;
  CREATE INDEX forks_of_trail ON forks(trail);
  CREATE TABLE records(object INTEGER NOT NULL, key TEXT NOT NULL, hash BLOB NOT NULL, value BLOB NOT NULL);
  CREATE UNIQUE INDEX records_by_key ON records(object, key);
  CREATE TABLE early_records(
    trail INTEGER NOT NULL, foreign_id TEXT NOT NULL, key TEXT NOT NULL, hash BLOB NOT NULL, value BLOB NOT NULL
  );
  CREATE UNIQUE INDEX early_records_by_key ON early_records(trail, foreign_id, key);
  CREATE TABLE log(number INTEGER PRIMARY KEY, entry TEXT NOT NULL, hash BLOB NOT NULL);
  CREATE TABLE tombstones(hash BLOB PRIMARY KEY, parent BLOB, trail TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
`;

const STATEMENTS = [TABLES, ...LOG_VIEWS].join(";");

/**
 * Brings an open database that lacks a part of the format to the current one.
 *
 * @param identity For a new store: the one that it replaces, or its own.
 */
export function migrate(db: DatabaseSync, identity = newIdentity()): void {
  // Another process may migrate at the same moment: the lock is taken first, then the version is read again.
  db.exec("BEGIN IMMEDIATE");
  try {
    const version = pragma(db, "user_version");
    if (version === 0) createStore(db, identity);
    if (version === 1) migrateFromFormat1(db, () => db.exec(TABLES));
    if (version === 2) migrateFromFormat2(db);
    if (version < FORMAT_VERSION) db.exec(`PRAGMA user_version = ${FORMAT_VERSION}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

/** Whether the file lacks a part of the format. Rejects what is not a store, or is one of a newer program. */
export function needsMigration(db: DatabaseSync, path: string): boolean {
  // Read at one moment: another process may be making the store right now.
  db.exec("BEGIN");
  try {
    return lacksFormat(db, path);
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
  }
}

function lacksFormat(db: DatabaseSync, path: string): boolean {
  const version = pragma(db, "user_version");
  const isNew = isEmpty(db);
  if (!isNew && pragma(db, "application_id") !== APPLICATION_ID) throw notAStore(path);
  if (!isNew && version === 0) throw damagedSchema(path);
  if (version > FORMAT_VERSION) throw newerFormat(`"${path}"`, version, FORMAT_VERSION);
  if (version === FORMAT_VERSION) assertSchema(db, path);
  return version < FORMAT_VERSION;
}

/** Whether the file is still empty. */
export function isEmpty(db: DatabaseSync): boolean {
  const hasTables = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
  return pragma(db, "user_version") === 0 && pragma(db, "application_id") === 0 && !hasTables;
}

/** What a reader says of a store that only a writer may bring over. */
export function olderFormat(path: string): CheckpointError {
  return new CheckpointError("refused", `"${path}" was written by an older version of Cairn.`, {
    hint: "Any checkpoint command upgrades it.",
    details: { path, known: FORMAT_VERSION, isOlder: true },
  });
}

export const isOlderFormat = (error: unknown) =>
  isCheckpointError(error, "refused") && error.details.isOlder === true;

const newIdentity = (): StoreIdentity => ({ id: randomUUID(), key: randomBytes(32) });

function createStore(db: DatabaseSync, { id, key }: StoreIdentity): void {
  db.exec(TABLES);
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  const insert = db.prepare("INSERT INTO meta(key, value) VALUES (?, ?)");
  insert.run("store_id", id);
  insert.run("store_key", key);
}

function pragma(db: DatabaseSync, name: "user_version" | "application_id"): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}

/** SQLite keeps each statement as it was given; another text means that the file is damaged. */
function assertSchema(db: DatabaseSync, path: string): void {
  const statements = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const isSound =
    statements.length > 0 &&
    statements.every(({ sql }) => typeof sql === "string" && STATEMENTS.includes(sql));
  if (!isSound) throw damagedSchema(path);
}

function damagedSchema(path: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `The store "${path}" is damaged: its tables are not what they should be.`,
    {
      hint: "checkpoint store salvage",
      details: { path },
    },
  );
}
