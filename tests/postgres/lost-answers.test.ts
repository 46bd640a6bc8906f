import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { isCheckpointError } from "../../src/core/errors.ts";
import type { ObjectId } from "../../src/core/objects/object-id.ts";
import { readTrees } from "../../src/core/objects/read-tree.ts";
import { changeOf } from "../../src/testing/store/samples.ts";
import type { Store } from "../../src/core/store/contract.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { startProxy } from "./support/cutting-proxy.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

const SHUTDOWNS = Number(process.env["CAIRN_TEST_SHUTDOWNS"] ?? 3);

describe.skipIf(programs === undefined)("PostgreSQL store", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(programs as string, { fsync: true });
  });
  afterAll(() => server?.stop());

  it("takes a commit whose answer was lost exactly once, and never calls it a conflict", async () => {
    await migratePostgresStore({ url: server.url, schema: "cut" });
    const proxy = await startProxy(server.port, 4);
    const store = await openPostgresStore({
      url: server.url.replace(String(server.port), String(proxy.port)),
      schema: "cut",
    });
    const plain = await commitPlainly(store, 60);
    const built = await commitBuilt(store, 30);
    expect(proxy.cuts()).toBeGreaterThanOrEqual(15);
    await store.close();
    await proxy.close();

    const direct = await openPostgresStore({ url: server.url, schema: "cut" });
    expect(await idsIn(direct, "plain")).toEqual(plain);
    expect(await idsIn(direct, "built")).toEqual(built);
    expect((await direct.readLog()).length).toBe(plain.length);
    expect((await direct.verify()).damage).toEqual([]);
    await direct.close();
  });

  it(
    "loses and doubles nothing when the server is shut down at once under writers",
    { timeout: SHUTDOWNS * 60_000 },
    async () => {
      await migratePostgresStore({ url: server.url, schema: "shutdowns" });
      const store = await openPostgresStore({ url: server.url, schema: "shutdowns" });
      const over = new AbortController();
      const writers = Array.from({ length: 4 }, async (_, index) => {
        const acknowledged: ObjectId[] = [];
        for (let turn = 0; !over.signal.aborted; turn++) {
          const change = changeOf(turn, { trail: `writer ${index}`, from: acknowledged.at(-1) });
          await store.commit(change);
          acknowledged.push(change.checkpoint.id);
        }
        return acknowledged;
      });
      const all = Promise.all(writers);
      all.catch(() => undefined);
      for (let shutdown = 0; shutdown < SHUTDOWNS; shutdown++) {
        const before = await someCommits(store);
        await server.shutDownAtOnce();
        await server.start();
        expect(await someCommits(store)).toBeGreaterThan(before);
      }
      over.abort();
      for (const [index, acknowledged] of (await all).entries()) {
        expect(await idsIn(store, `writer ${index}`)).toEqual(acknowledged);
        await readTrees(acknowledged, (ids) => store.readObjects(ids));
      }
      expect((await store.verify()).damage).toEqual([]);
      await store.close();
    },
  );

  it("says what is wrong when the server stays away", async () => {
    await migratePostgresStore({ url: server.url, schema: "away" });
    const store = await openPostgresStore({ url: server.url, schema: "away", patienceMs: 300 });
    await server.shutDownAtOnce();
    const error: unknown = await store.commit(changeOf("a")).catch((caught: unknown) => caught);
    await server.start();
    expect(isCheckpointError(error, "failed") && error.hint).toContain("Check that PostgreSQL is running");
    await store.close();
  });
});

async function commitPlainly(store: Store, count: number): Promise<ObjectId[]> {
  const ids: ObjectId[] = [];
  for (let turn = 0; turn < count; turn++) {
    const change = changeOf(turn, { trail: "plain", from: ids.at(-1) });
    await store.commit({ ...change, log: [{ turn }] });
    ids.push(change.checkpoint.id);
  }
  return ids;
}

async function commitBuilt(store: Store, count: number): Promise<ObjectId[]> {
  const ids: ObjectId[] = [];
  for (let turn = 0; turn < count; turn++) {
    let built: ObjectId | undefined;
    await store.commit({
      trail: "built",
      async build(head) {
        expect(head).toBe(ids.at(-1));
        const change = changeOf(turn, { trail: "built", from: head });
        built = change.checkpoint.id;
        return change;
      },
    });
    ids.push(built as ObjectId);
  }
  return ids;
}

async function idsIn(store: Store, trail: string): Promise<ObjectId[]> {
  return (await store.history(trail)).map(({ id }) => id).toReversed();
}

/** Waits until every writer has landed some more, and says how many there are. */
async function someCommits(store: Store): Promise<number> {
  const count = async () => (await store.find({ newestFirst: true, limit: 1 }))[0]?.sequence ?? 0;
  const before = await count();
  for (;;) {
    const now = await count();
    if (now > before + 8) return now;
  }
}
