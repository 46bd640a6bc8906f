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
import { ownerOf, readRecords, writeRecords } from "./sqlite/records.ts";
import { readHead, readTrails } from "./sqlite/trail-rows.ts";
import { checkedStoreId } from "./store-id.ts";

/**
 * Opens a store in one SQLite file.
 *
 * @example
 * const store = await openSqliteStore({ path: ".cairn/store.sqlite" });
 */
export async function openSqliteStore(options: OpenOptions): Promise<Store> {
  return new SqliteStore(await openDatabase(options), "durable");
}

/**
 * Opens an empty store that lives as long as the process: for tests, and for state that need not survive.
 *
 * @example
 * const store = await openMemoryStore();
 */
export async function openMemoryStore(): Promise<Store> {
  return new SqliteStore(openInMemory(), "cache");
}

class SqliteStore implements Store {
  readonly durability: Store["durability"];
  readonly #connection: Connection;
  readonly #commits: GroupCommit;

  constructor(connection: Connection, durability: Store["durability"]) {
    this.durability = durability;
    this.#connection = connection;
    this.#commits = new GroupCommit(connection);
  }

  async identity(): Promise<StoreIdentity> {
    return this.#connection.read(() => {
      const value = (key: string) =>
        this.#connection.sql("SELECT value FROM meta WHERE key = ?").get(key)?.value;
      return { id: checkedStoreId(value("store_id")), key: value("store_key") as Uint8Array };
    });
  }

  commit(change: Commit | BuildCommit): Promise<void> {
    return this.#commits.commit(change);
  }

  async readObjects(ids: readonly ObjectId[]): Promise<Map<ObjectId, Uint8Array>> {
    return this.#connection.read(() => readObjectRows(this.#connection, ids));
  }

  async head(trail: string): Promise<ObjectId | undefined> {
    return this.#connection.read(() => readHead(this.#connection, trail));
  }

  async history(trail: string, page: Page = {}) {
    return this.#connection.read(() => readHistory(this.#connection, trail, page));
  }

  async count(trail: string, { afterSequence = 0 } = {}): Promise<number> {
    return this.#connection.read(() => countCheckpoints(this.#connection, trail, afterSequence));
  }

  async find(query: CheckpointQuery) {
    return this.#connection.read(() => findCheckpoints(this.#connection, query));
  }

  async trails({ prefix = "" } = {}) {
    return this.#connection.read(() => readTrails(this.#connection, prefix));
  }

  async attach(to: ObjectId | ForeignName, records: Records, { ifAbsent = false } = {}): Promise<void> {
    await this.#connection.write(() =>
      writeRecords(this.#connection, ownerOf(this.#connection, to), records, ifAbsent),
    );
  }

  async attachments(checkpoints: readonly ObjectId[]) {
    return this.#connection.read(() => {
      const found = checkpoints.map((id) => [id, readRecords(this.#connection, id)] as const);
      return new Map(found.filter(([, records]) => records.size > 0));
    });
  }

  async lineage(checkpoint: ObjectId, { limit = Infinity } = {}) {
    return this.#connection.read(() => readLineage(this.#connection, checkpoint, limit));
  }

  async readLog(page?: { readonly after?: number; readonly limit?: number }) {
    return this.#connection.read(() => readLog(this.#connection, page));
  }

  async remove(removal: Removal) {
    const { removeCheckpoints } = await import("./sqlite/remove-checkpoints.ts");
    return this.#connection.write(() => removeCheckpoints(this.#connection, removal));
  }

  async tombstone(id: ObjectId) {
    return this.#connection.read(() => readTombstone(this.#connection, id));
  }

  async sweep(options?: Progress) {
    const { sweep } = await import("./sqlite/sweep.ts");
    return sweep(this.#connection, options);
  }

  async verify(options?: Progress) {
    const { verify } = await import("./sqlite/verify.ts");
    return verify(this.#connection, options);
  }

  async close(): Promise<void> {
    await this.#commits.close();
    await this.#connection.close();
  }
}
