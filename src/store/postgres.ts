import type { Store } from "./contract.ts";
import { Bases } from "./postgres/bases.ts";
import type { PostgresOptions } from "./postgres/connection-options.ts";
import { Database } from "./postgres/database.ts";
import { readLog, readStoreId } from "./postgres/log.ts";
import { assertVersion } from "./postgres/migrate.ts";
import { readObjects } from "./postgres/object-rows.ts";
import {
  countCheckpoints,
  findCheckpoints,
  readHead,
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
    await assertVersion(database);
    const [settings] = await database.read<{ durable: boolean }>(
      "SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on' AS durable",
    );
    return storeOn(database, settings?.durable ? "durable" : "cache");
  } catch (error) {
    await database.close();
    throw error;
  }
}

function storeOn(database: Database, durability: Store["durability"]): Store {
  const { read } = database;
  const bases = new Bases(database);
  return {
    durability,
    async identity() {
      const [row] = await read<{ value: Buffer }>("SELECT value FROM @meta WHERE key = 'store_key'");
      return { id: checkedStoreId(await readStoreId(read)), key: Uint8Array.from(row?.value ?? []) };
    },
    commit: (change) => writeCommit(database, bases, change),
    readObjects: (ids) => readObjects(read, ids),
    head: (trail) => readHead(read, trail),
    history: (trail, page = {}) => readHistory(read, trail, page),
    count: (trail, { afterSequence = 0 } = {}) => countCheckpoints(read, trail, afterSequence),
    find: (query) => findCheckpoints(read, query),
    trails: ({ prefix = "" } = {}) => readTrails(read, prefix),
    attach: (to, records, { ifAbsent = false } = {}) =>
      // Once more does no harm: the same records are attached.
      database.patiently(() => attachRecords(database.write, to, records, ifAbsent)),
    attachments: (checkpoints) => readRecords(read, checkpoints),
    lineage: (checkpoint, { limit = Infinity } = {}) => readLineage(read, checkpoint, limit),
    readLog: (page) => readLog(read, page),
    remove: (removal) => database.repeatable("BEGIN", (query) => removeCheckpoints(query, removal)),
    tombstone: (id) => readTombstone(read, id),
    sweep: (options) => sweep(database, options),
    verify: (options) => verify(database, options),
    close: () => database.close(),
  };
}
