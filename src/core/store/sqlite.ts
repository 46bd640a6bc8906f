import type { Store, StoreIdentity } from "./contract.ts";
import type { Connection } from "./sqlite/connection.ts";
import { GroupCommit } from "./sqlite/group-commit.ts";
import { openDatabase, openInMemory, type OpenOptions } from "./sqlite/open.ts";
import {
  countCheckpoints,
  findCheckpoints,
  readHistory,
  readLineage,
  readTombstone,
} from "./sqlite/read-checkpoints.ts";
import { readLog } from "./sqlite/log.ts";
import { readObjectRows } from "./sqlite/object-rows.ts";
import { readRecords } from "./sqlite/records.ts";
import { readHead, readTrails } from "./sqlite/trail-rows.ts";
import { watchFile } from "./sqlite/watch-file.ts";
import { checkedStoreId } from "./store-id.ts";

/**
 * Opens a store in one SQLite file.
 *
 * @example
 * const store = await openSqliteStore({ path: ".cairn/store.sqlite" });
 */
export async function openSqliteStore(options: OpenOptions): Promise<Store> {
  return storeOn(await openDatabase(options), "durable");
}

/**
 * Makes a store in place of a damaged one, under its name: what is signed for it, trusted in it or known of it elsewhere
 * holds for the new one too.
 */
export async function makeReplacement(path: string, identity: StoreIdentity | undefined): Promise<Store> {
  return storeOn(await openDatabase({ path }, identity), "durable");
}

/**
 * Opens an empty store that lives as long as the process: for tests, and for state that need not survive.
 *
 * @example
 * const store = await openMemoryStore();
 */
export async function openMemoryStore(): Promise<Store> {
  return storeOn(openInMemory(), "cache");
}

function storeOn(connection: Connection, durability: Store["durability"]): Store {
  const commits = new GroupCommit(connection);
  return {
    durability,
    identity: async () =>
      connection.read(() => {
        const value = (key: string) => connection.sql("SELECT value FROM meta WHERE key = ?").get(key)?.value;
        return { id: checkedStoreId(value("store_id")), key: value("store_key") as Uint8Array };
      }),
    commit: (change) => commits.commit(change),
    readObjects: async (ids) => connection.read(() => readObjectRows(connection, ids)),
    head: async (trail) => connection.read(() => readHead(connection, trail)),
    history: async (trail, page = {}) => connection.read(() => readHistory(connection, trail, page)),
    count: async (trail, { afterSequence = 0 } = {}) =>
      connection.read(() => countCheckpoints(connection, trail, afterSequence)),
    find: async (query) => connection.read(() => findCheckpoints(connection, query)),
    trails: async (query) => connection.read(() => readTrails(connection, query)),
    attach: commits.attach,
    attachments: async (checkpoints) =>
      connection.read(() => {
        const found = checkpoints.map((id) => [id, readRecords(connection, id)] as const);
        return new Map(found.filter(([, records]) => records.size > 0));
      }),
    lineage: async (checkpoint, { limit = Infinity } = {}) =>
      connection.read(() => readLineage(connection, checkpoint, limit)),
    readLog: async (page) => connection.read(() => readLog(connection, page)),
    async remove(removal) {
      const { removeCheckpoints } = await import("./sqlite/remove-checkpoints.ts");
      return connection.write(() => removeCheckpoints(connection, removal));
    },
    tombstone: async (id) => connection.read(() => readTombstone(connection, id)),
    sweep: async (options) => (await import("./sqlite/sweep.ts")).sweep(connection, options),
    verify: async (options) => (await import("./sqlite/verify.ts")).verify(connection, options),
    ...(durability === "durable" && { watch: (onNews) => watchFile(connection.path, onNews) }),
    async close() {
      await commits.close();
      await connection.close();
    },
  };
}
