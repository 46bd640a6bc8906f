import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openUnguarded, type Cairn } from "../../src/work/state/cairn.ts";
import { openSqliteStore } from "../../src/core/store/sqlite.ts";
import { copyStoreFile } from "../../src/core/store/sqlite/copy-store.ts";
import { FollowingStore } from "../../src/core/store/sqlite/follow-store.ts";
import { DatabaseSync } from "../../src/core/store/sqlite/node-sqlite.ts";

const TABLES = ["meta", "counters", "objects", "ids", "trails", "checkpoints", "forks", "records"];
const MORE_TABLES = ["early_records", "log", "tombstones"];

describe("a copy that follows a store", () => {
  let [folder, store, copy]: [string, string, string] = ["", "", ""];
  let [cairn, following]: [Cairn, FollowingStore] = [undefined as never, undefined as never];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "cairn-follow-"));
    [store, copy] = [join(folder, "store.sqlite"), join(folder, "copy.sqlite")];
    cairn = await openUnguarded({ path: folder });
    await commit("main", 3);
    await copyStoreFile(store, copy);
    following = new FollowingStore(store, copy);
  });
  afterEach(async () => {
    following.close();
    await cairn.close();
    rmSync(folder, { recursive: true });
  });

  async function commit(trail: string, times: number): Promise<void> {
    for (let i = 0; i < times; i++) {
      await cairn.trail<object>(trail, { initial: {} }).commit((state) => {
        Object.assign(state, { [`n${Math.random()}`]: "x".repeat(300) });
      });
    }
  }

  /** Every row of every table, the numbers of rows included. */
  function rows(path: string): unknown {
    const db = new DatabaseSync(path, { readOnly: true });
    const all = [...TABLES, ...MORE_TABLES].map((table) => {
      const order = table === "records" ? "rowid, *" : "*";
      return db.prepare(`SELECT ${order} FROM ${table} ORDER BY 1, 2`).all();
    });
    db.close();
    return all;
  }

  it("takes over commits, forks, records, log entries and tags, row by row", async () => {
    await commit("main", 5);
    await cairn.trail("main").fork("other");
    const head = (await cairn.store.head("main"))!;
    await cairn.store.attach(head, new Map([["a", Buffer.from("1")]]));
    await cairn.store.attach(head, new Map([["b", Buffer.from("2")]]));
    const { bytes } = (await cairn.store.history("main", { limit: 1 }))[0]!;
    const checkpoint = { id: head, bytes, links: [] };
    const again = { objects: [], checkpoint, trail: "main", parent: undefined, createdAt: 0 };
    expect(following.hasNews()).toBe(true);
    expect(following.follow()).toBe("current");
    expect(rows(copy)).toEqual(rows(store));
    // Replaced, and one deleted whose row number the next one gets.
    await cairn.store.attach(head, new Map([["b", null]]));
    await cairn.store.attach(head, new Map([["c", Buffer.from("3")]]));
    await cairn.store.attach(head, new Map([["a", Buffer.from("4")]]));
    expect(following.follow()).toBe("current");
    expect(rows(copy)).toEqual(rows(store));
    // The first entry of a log brings views, and so another schema.
    await cairn.store.commit({ ...again, log: [{ type: "action" }] });
    expect(following.follow()).toBe("changed");
    await copyStoreFile(store, copy);
    await cairn.store.commit({ ...again, log: [{ type: "action" }, { type: "task" }] });
    expect(following.follow()).toBe("current");
    expect(rows(copy)).toEqual(rows(store));
    expect(following.hasNews()).toBe(false);
  });

  it("is copied as a whole after a removal, and keeps nothing of what was removed", async () => {
    await commit("gone", 4);
    expect(following.follow()).toBe("current");
    await cairn.store.remove({ trails: ["gone"] });
    expect(following.follow()).toBe("changed");
    await cairn.store.sweep();
    expect(following.follow()).toBe("changed");
    await copyStoreFile(store, copy);
    expect(following.follow()).toBe("current");
    expect(rows(copy)).toEqual(rows(store));
    const opened = await openSqliteStore({ path: copy, readOnly: true });
    expect(await opened.verify()).toEqual(await cairn.store.verify());
    await opened.close();
  });

  it("leaves a store alone that another process is copying into it", () => {
    const other = new DatabaseSync(copy);
    other.exec("BEGIN IMMEDIATE");
    expect(following.follow()).toBe("busy");
    other.close();
    expect(following.follow()).toBe("current");
  });

  it("never locks the store that it follows", async () => {
    const db = new DatabaseSync(store);
    db.exec("BEGIN IMMEDIATE");
    expect(following.follow()).toBe("current");
    db.close();
    expect(statSync(store).mode & 0o077).toBe(0);
  });
});
