import { randomBytes, randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

import { CheckpointError } from "../../errors.ts";

/** "CAIR" in ASCII: tells our files from other SQLite databases. */
const APPLICATION_ID = 0x43414952;

/**
 * Each entry turns a store of version N (its position) into version N + 1. Entries are never edited once
 * released: a store of any age opens by running the ones it lacks.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta(key TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
  CREATE TABLE counters(sweeps INTEGER NOT NULL, last_row INTEGER NOT NULL, last_sequence INTEGER NOT NULL);
  INSERT INTO counters VALUES (0, 0, 0);
  CREATE TABLE objects(id INTEGER PRIMARY KEY, base INTEGER, depth INTEGER NOT NULL, data BLOB NOT NULL);
  CREATE TABLE ids(hash BLOB PRIMARY KEY, object INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE trails(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, head BLOB);
  CREATE TABLE checkpoints(
    sequence INTEGER PRIMARY KEY, trail INTEGER NOT NULL, object INTEGER NOT NULL, key BLOB NOT NULL,
    created INTEGER NOT NULL, parent BLOB
  );
  CREATE UNIQUE INDEX checkpoints_by_object ON checkpoints(object, trail);
  CREATE INDEX checkpoints_of_trail ON checkpoints(trail);
  CREATE TABLE foreign_ids(
    trail INTEGER NOT NULL, foreign_id TEXT NOT NULL, object INTEGER NOT NULL, PRIMARY KEY (trail, foreign_id)
  ) WITHOUT ROWID;
  CREATE INDEX foreign_ids_by_object ON foreign_ids(object);
  CREATE TABLE records(
    object INTEGER NOT NULL, key TEXT NOT NULL, value BLOB NOT NULL, PRIMARY KEY (object, key)
  ) WITHOUT ROWID;
  CREATE TABLE tombstones(hash BLOB PRIMARY KEY, parent BLOB, trail TEXT NOT NULL, created INTEGER NOT NULL) WITHOUT ROWID;
  `,
];

const FORMAT_VERSION = MIGRATIONS.length;

/** Brings an open database to the current format, or says why it cannot be used. */
export function migrate(db: DatabaseSync, path: string): void {
  if (!needsMigration(db, path)) return;
  // Another process may migrate at the same moment: the lock is taken first, then the version is read again.
  db.exec("BEGIN IMMEDIATE");
  try {
    for (let version = versionOf(db); version < MIGRATIONS.length; version++) {
      db.exec(MIGRATIONS[version] as string);
      if (version === 0) createIdentity(db);
      db.exec(`PRAGMA user_version = ${version + 1}`);
    }
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
  const version = versionOf(db);
  const application = applicationIdOf(db);
  const isEmpty = version === 0 && application === 0 && !hasTables(db);
  if (!isEmpty && application !== APPLICATION_ID) throw notAStore(path);
  if (!isEmpty && version === 0) throw damagedSchema(path);
  if (version > FORMAT_VERSION) throw newerFormat(path, version);
  if (version > 0) assertSchema(db, path);
  return version < FORMAT_VERSION;
}

function notAStore(path: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `"${path}" is not a Cairn store.`, {
    hint: "Nothing was changed. Choose another folder, or move this file away to start a new store.",
    details: { path },
    cause,
  });
}

function newerFormat(path: string, version: number): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" was written by a newer version of Cairn (format ${version}; this program knows ${FORMAT_VERSION}).`,
    { hint: "npm install cairn-checkpoint@latest", details: { path, version, known: FORMAT_VERSION } },
  );
}

function createIdentity(db: DatabaseSync): void {
  db.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  const insert = db.prepare("INSERT INTO meta(key, value) VALUES (?, ?)");
  insert.run("store_id", randomUUID());
  insert.run("store_key", randomBytes(32));
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA user_version").get()?.user_version);
}

function applicationIdOf(db: DatabaseSync): number {
  return Number(db.prepare("PRAGMA application_id").get()?.application_id);
}

/** SQLite keeps each statement as it was given; another text means that the file is damaged. */
function assertSchema(db: DatabaseSync, path: string): void {
  const known = MIGRATIONS.join("\n");
  const statements = db.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL").all();
  const isSound =
    statements.length > 0 && statements.every(({ sql }) => typeof sql === "string" && known.includes(sql));
  if (!isSound) throw damagedSchema(path);
}

function damagedSchema(path: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `The store "${path}" is damaged: its tables are not what they should be.`,
    {
      hint: "checkpoint doctor",
      details: { path },
    },
  );
}

function hasTables(db: DatabaseSync): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}
