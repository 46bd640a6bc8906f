import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { DatabaseSync as Database, StatementSync } from "node:sqlite";
import {
  assertOwnFiles,
  makePrivateFile,
  makePrivateFolder,
  refuseLinks,
} from "../../../core/store/private-files.ts";
import { DatabaseSync } from "../../../core/store/sqlite/node-sqlite.ts";
import { statePath } from "../../../work/machine/folders.ts";
import type { Project } from "../../../work/project/project.ts";

/** Raised with what is written into the tables: an index of another version is made anew. */
const VERSION = 3;

const TABLES = [
  "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
  "CREATE TABLE sources(id INTEGER PRIMARY KEY, checkpoint TEXT NOT NULL UNIQUE, trail TEXT NOT NULL, session TEXT)",
  "CREATE TABLE pieces(id INTEGER PRIMARY KEY, source INTEGER NOT NULL, turn INTEGER NOT NULL, place TEXT NOT NULL, kind INTEGER NOT NULL, at INTEGER NOT NULL, digest INTEGER NOT NULL UNIQUE)",
  // The words stand in the store alone: here is only where they are.
  "CREATE VIRTUAL TABLE words USING fts5(text, file, near, content='', contentless_delete=1, tokenize=\"unicode61 remove_diacritics 2\")",
  "CREATE VIRTUAL TABLE terms USING fts5vocab(words, 'row')",
];

/** What another process that writes may take. */
const BUSY_MS = 10_000;

/** The index of one store on this machine. It can be deleted at any time: it is made anew from the store. */
export class IndexFile {
  readonly path: string;
  readonly #db: Database;
  readonly #statements = new Map<string, StatementSync>();

  private constructor(path: string, db: Database) {
    this.path = path;
    this.#db = db;
  }

  /** Opens or makes it. What it finds must be this store's index, whole and of this version: `isDamage` says so of the error. */
  static open(path: string, storeId: string): IndexFile {
    makePrivateFolder(dirname(path));
    for (const ending of ["", "-wal", "-shm"]) refuseLinks(dirname(path), path + ending);
    assertOwnFiles(path);
    makePrivateFile(path);
    const db = new DatabaseSync(path, { timeout: BUSY_MS });
    try {
      // A repository could bring such a file: nothing in its schema is trusted, and it must be ours to the letter.
      db.exec("PRAGMA trusted_schema = OFF; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
      const file = new IndexFile(path, db);
      file.write(() => file.#prepare(`${VERSION} ${storeId}`));
      return file;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  #prepare(owner: string): void {
    const found = this.sql(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'words\\_%' ESCAPE '\\'",
    ).all();
    if (found.length === 0) {
      for (const table of TABLES) this.#db.exec(table);
      this.setMeta("owner", owner);
    }
    const isWhole = [0, TABLES.length].includes(found.length);
    const isOurs = isWhole && found.every(({ sql }) => TABLES.includes(String(sql)));
    if (!isOurs || this.meta("owner") !== owner) throw notThisIndex();
  }

  /** A prepared statement; the same text is prepared once. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) this.#statements.set(text, (statement = this.#db.prepare(text)));
    return statement;
  }

  /** Runs in a transaction of its own: all of it happens, or nothing. */
  write(work: () => void): void {
    this.#db.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#db.exec("COMMIT");
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      throw error;
    }
  }

  meta(key: string): string | undefined {
    return this.sql("SELECT value FROM meta WHERE key = ?").get(key)?.["value"] as string | undefined;
  }

  setMeta(key: string, value: string): void {
    this.sql("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
  }

  deletePiece(id: number): void {
    this.sql("DELETE FROM pieces WHERE id = ?").run(id);
    const statement = this.sql("DELETE FROM words WHERE rowid = ?");
    // In Node 26 the count of a contentless delete does not fit into a number, and throws after it has deleted.
    statement.setReadBigInts(true);
    statement.run(id);
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }
}

export function removeIndex(path: string): void {
  for (const ending of ["", "-wal", "-shm", "-journal"]) rmSync(path + ending, { force: true });
}

const NOT_AN_INDEX = 26;
const CORRUPT = 11;

/** It belongs to another store, or to what this one was before it was restored. */
export const notThisIndex = (): Error =>
  Object.assign(new Error("It is not the index of this store."), { errcode: NOT_AN_INDEX });

/** SQLite's own codes; the extended ones begin with them. */
export function isDamage(error: unknown): boolean {
  const { errcode } = (error ?? {}) as { errcode?: number };
  return errcode !== undefined && [CORRUPT, NOT_AN_INDEX].includes(errcode % 256);
}

/** Beside the store; for a store on a server in the user's state folder, one for all projects of this machine. */
export function indexPath({ folder, shared, env }: Project, storeId: string): string {
  const own = shared === undefined ? undefined : statePath(env, "search", `${storeId}.sqlite`);
  return own ?? join(folder, "search.sqlite");
}
