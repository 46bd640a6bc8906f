import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";

import { testStore } from "../../testing/store/test-store.ts";
import { openMemoryStore, openSqliteStore } from "./sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "cairn-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
const paths = new WeakMap<object, string>();
const open = async (path = join(folder, `${count++}`, "store.sqlite")) => {
  const store = await openSqliteStore({ path });
  paths.set(store, path);
  return store;
};

describe("SQLite store", () => {
  testStore(open, {
    describe,
    it,
    reopen: async (store) => {
      await store.close();
      return open(paths.get(store));
    },
    openSecond: (store) => open(paths.get(store)),
  });
});

describe("SQLite store in memory", () => {
  testStore(openMemoryStore, { describe, it });
});
