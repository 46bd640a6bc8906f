import type { ObjectId } from "../objects/object-id.ts";
import type {
  BuildCommit,
  CheckpointQuery,
  Commit,
  ForeignName,
  Page,
  Progress,
  Records,
  Removal,
  Store,
  StoreIdentity,
} from "./contract.ts";
import { Bases } from "./postgres/bases.ts";
import type { PostgresOptions } from "./postgres/connection-options.ts";
import { Database, type Query } from "./postgres/database.ts";
import { readLog, readStoreId } from "./postgres/log.ts";
import { assertVersion } from "./postgres/migrate.ts";
import { optionalId, readObjects } from "./postgres/object-rows.ts";
import {
  countCheckpoints,
  findCheckpoints,
  readHistory,
  readLineage,
  readTombstone,
  readTrails,
} from "./postgres/read-checkpoints.ts";
import { attachRecords, readRecords } from "./postgres/records.ts";
import { removeCheckpoints } from "./postgres/remove-checkpoints.ts";
import { sweep } from "./postgres/sweep.ts";
import { verify } from "./postgres/verify.ts";
import { writeCommit } from "./postgres/write-commit.ts";
import { checkedStoreId } from "./store-id.ts";

export type { PostgresOptions } from "./postgres/connection-options.ts";
export { migratePostgresStore, type MigrateOptions } from "./postgres/migrate.ts";

/**
 * Opens a store in a schema of a PostgreSQL database, which many machines can share. `migratePostgresStore`, or
 * `checkpoint store migrate`, makes it first. Needs the package `pg`.
 *
 * @example
 * const store = await openPostgresStore({ url: "postgres://worker@db.example/cairn", schema: "cairn" });
 */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const database = await Database.open(options);
  try {
    const read: Query = (text, values) => database.read(text, values);
    await assertVersion(read, database);
    const [settings] = await read<{ durable: boolean }>(
      "SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS durable",
    );
    return new PostgresStore(database, settings?.durable ? "durable" : "cache");
  } catch (error) {
    await database.close();
    throw error;
  }
}

class PostgresStore implements Store {
  readonly durability: Store["durability"];
  readonly #database: Database;
  readonly #bases: Bases;
  readonly #read: Query;

  constructor(database: Database, durability: Store["durability"]) {
    this.durability = durability;
    this.#database = database;
    this.#bases = new Bases(database);
    this.#read = (text, values) => database.read(text, values);
  }

  async identity(): Promise<StoreIdentity> {
    const [row] = await this.#read<{ value: Buffer }>("SELECT value FROM @meta WHERE key = 'store_key'");
    return { id: checkedStoreId(await readStoreId(this.#read)), key: Uint8Array.from(row?.value ?? []) };
  }

  async commit(change: Commit | BuildCommit): Promise<void> {
    await writeCommit(this.#database, this.#bases, change);
  }

  async readObjects(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> {
    return readObjects(this.#read, ids);
  }

  async head(trail: string): Promise<ObjectId | undefined> {
    const [row] = await this.#read<{ head: Uint8Array | null }>("SELECT head FROM @trails WHERE name = $1", [
      trail,
    ]);
    return optionalId(row?.head ?? null);
  }

  async history(trail: string, page: Page = {}) {
    return readHistory(this.#read, trail, page);
  }

  async count(trail: string, { afterSequence = 0 } = {}): Promise<number> {
    return countCheckpoints(this.#read, trail, afterSequence);
  }

  async find(query: CheckpointQuery) {
    return findCheckpoints(this.#read, query);
  }

  async trails({ prefix = "" } = {}) {
    return readTrails(this.#read, prefix);
  }

  async attach(to: ObjectId | ForeignName, records: Records, { ifAbsent = false } = {}): Promise<void> {
    // Once more does no harm: the same records are attached.
    await this.#database.patiently(() =>
      attachRecords((text, values) => this.#database.write(text, values), to, records, ifAbsent),
    );
  }

  async attachments(checkpoints: readonly ObjectId[]) {
    return readRecords(this.#read, checkpoints);
  }

  async lineage(checkpoint: ObjectId, { limit = Infinity } = {}) {
    return readLineage(this.#read, checkpoint, limit);
  }

  async readLog(page?: { readonly after?: number; readonly limit?: number }) {
    return readLog(this.#read, page);
  }

  async remove(removal: Removal) {
    return this.#database.repeatable("BEGIN", (query) => removeCheckpoints(query, removal));
  }

  async tombstone(id: ObjectId) {
    return readTombstone(this.#read, id);
  }

  async sweep(options?: Progress) {
    return sweep(this.#database, options);
  }

  async verify(options?: Progress) {
    return verify(this.#database, options);
  }

  async close(): Promise<void> {
    await this.#database.close();
  }
}
