import { dirname } from "node:path";
import type { DatabaseSync as Database } from "node:sqlite";
import { pathToFileURL } from "node:url";

import { assertLocal, assertOwn, refuseLinkedStore } from "../private-files.ts";
import { DatabaseSync } from "./node-sqlite.ts";
import { explain, isBusy } from "./sqlite-error.ts";

/**
 * `current`: it holds what the store held a moment ago. `more`: rows are left for the next call. `changed`: the store did
 * something other than grow, and must be copied as a whole. `busy`: another process is at it.
 */
export type Followed = "current" | "more" | "changed" | "busy";

/** How many objects one transaction brings: the process does nothing else meanwhile. */
const BATCH = 10_000;

/** Not so after the format changed, or where the first copy was interrupted. */
const HAS_TABLES =
  "NOT EXISTS (SELECT sql FROM store.sqlite_schema EXCEPT SELECT sql FROM main.sqlite_schema)";

/**
 * What must be equal for the rest to be new rows only: how often was swept, the checkpoints up to the newest that the copy
 * has, and what is left of removed ones. Numbers are given once, so counting is enough.
 */
const UNCHANGED = `
  (SELECT sweeps FROM store.counters) = (SELECT sweeps FROM main.counters)
  AND (SELECT count(*) FROM store.tombstones) = (SELECT count(*) FROM main.tombstones)
  AND (SELECT count(*) FROM store.checkpoints WHERE sequence <= (SELECT ifnull(max(sequence), 0) FROM main.checkpoints))
    = (SELECT count(*) FROM main.checkpoints)`;

/** Small tables that change in place. */
const SMALL = ["counters", "trails", "forks", "early_records"] as const;

/** Records change in place too, but there may be many: as long as their row numbers add up, none did. */
const RECORDS_DIFFER = `
  SELECT 1 FROM (SELECT count(*) AS n, total(rowid) AS sum, max(rowid) AS last FROM store.records) AS theirs,
    (SELECT count(*) AS n, total(rowid) AS sum, max(rowid) AS last FROM main.records) AS ours
  WHERE (theirs.n, theirs.sum) <> (ours.n, ours.sum)
    OR (SELECT hash FROM store.records WHERE rowid = theirs.last) IS NOT (SELECT hash FROM main.records WHERE rowid = ours.last)`;

const IS_SAME_RECORD = "one.rowid = other.rowid AND one.hash = other.hash AND one.object = other.object";

const COPY_RECORDS = `
  DELETE FROM main.records AS one WHERE NOT EXISTS (SELECT 1 FROM store.records AS other WHERE ${IS_SAME_RECORD});
  INSERT INTO main.records(rowid, object, key, hash, value) SELECT rowid, object, key, hash, value
    FROM store.records AS one WHERE NOT EXISTS (SELECT 1 FROM main.records AS other WHERE ${IS_SAME_RECORD})`;

/**
 * A copy of a store in another file, made by `copyStoreFile`, that takes over what the store gets. Each transaction reads one
 * state of the store, and objects come before what refers to them: killed at any moment, the copy is a state that the store
 * was in. It is written without waiting for the disk, so a power cut may set it back; then it follows again.
 */
export class FollowingStore {
  readonly #db: Database;
  readonly #path: string;
  #seen: unknown;

  constructor(store: string, copy: string) {
    this.#path = copy;
    assertOwn(dirname(copy));
    assertLocal(dirname(copy));
    for (const path of [copy, store]) refuseLinkedStore(path);
    this.#db = new DatabaseSync(copy);
    try {
      this.#db.exec("PRAGMA synchronous = NORMAL");
      const url = pathToFileURL(store);
      // Only for reading: else a transaction would lock the store too.
      url.searchParams.set("mode", "ro");
      this.#db.prepare("ATTACH DATABASE ? AS store").run(url.href);
    } catch (error) {
      this.#db.close();
      throw explain(error, copy);
    }
  }

  /** Whether the store was written to since the last time that the copy was current. */
  hasNews(): boolean {
    return this.#version() !== this.#seen;
  }

  /** Takes over one batch. */
  follow(): Followed {
    const version = this.#version();
    try {
      this.#db.exec("BEGIN IMMEDIATE");
      const followed = this.#take();
      this.#db.exec("COMMIT");
      if (followed === "current") this.#seen = version;
      return followed;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec("ROLLBACK");
      if (isBusy(error)) return "busy";
      throw explain(error, this.#path);
    }
  }

  close(): void {
    this.#db.close();
  }

  #version(): unknown {
    return this.#db.prepare("PRAGMA store.data_version").get()?.["data_version"];
  }

  #take(): Followed {
    if (!this.#isTrue(HAS_TABLES) || !this.#isTrue(UNCHANGED)) return "changed";
    const rows = this.#db.prepare("SELECT ifnull(max(id), 0) AS last FROM main.objects").get();
    const last = Number(rows?.["last"]);
    const batch = "FROM store.objects WHERE id > ? ORDER BY id LIMIT ?";
    const { changes } = this.#db
      .prepare(`INSERT INTO main.objects(id, base, depth, data) SELECT id, base, depth, data ${batch}`)
      .run(last, BATCH);
    if (changes > 0)
      this.#db
        .prepare(
          `INSERT INTO main.ids(hash, object) SELECT hash, object FROM store.ids
           WHERE object > ? AND object <= (SELECT max(id) FROM main.objects)`,
        )
        .run(last);
    if (Number(changes) === BATCH) return "more";
    this.#append("checkpoints", "sequence");
    this.#append("log", "number");
    for (const table of SMALL) this.#replace(table);
    if (this.#db.prepare(RECORDS_DIFFER).get()) this.#db.exec(COPY_RECORDS);
    return "current";
  }

  #append(table: "checkpoints" | "log", number: "sequence" | "number"): void {
    const last = `(SELECT ifnull(max(${number}), 0) FROM main.${table})`;
    this.#db.exec(`INSERT INTO main.${table} SELECT * FROM store.${table} WHERE ${number} > ${last}`);
  }

  #replace(table: (typeof SMALL)[number]): void {
    const differ = (one: string, other: string) =>
      `EXISTS (SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${other}.${table})`;
    if (!this.#isTrue(`${differ("store", "main")} OR ${differ("main", "store")}`)) return;
    this.#db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM store.${table}`);
  }

  #isTrue(condition: string): boolean {
    return this.#db.prepare(`SELECT (${condition}) AS holds`).get()?.["holds"] === 1;
  }
}
