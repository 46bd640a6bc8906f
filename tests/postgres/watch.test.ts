import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { openCairn } from "../../src/doors/library/index.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("watching a PostgreSQL store", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(programs as string);
  });
  afterAll(() => server?.stop());

  it("tells of what others commit, of a burst a few times, and of nothing once it is stopped", async () => {
    const options = { url: server.url, schema: "watched" };
    await migratePostgresStore(options);
    const [store, other] = [await openPostgresStore(options), await openPostgresStore(options)];
    const seen = { hints: 0 };
    const stop = store.watch?.(() => seen.hints++);
    const cairn = await openCairn({ store: other });
    const trail = cairn.trail<{ count: number }>("main");
    // The first hints may come before the watcher listens.
    for (let count = 0; seen.hints === 0 && count < 100; count++) {
      await trail.commit({ count });
      await wait(50);
    }
    expect(seen.hints).toBeGreaterThan(0);
    seen.hints = 0;
    for (let count = 0; count < 50; count++) await trail.commit({ count: 1000 + count });
    await expect.poll(() => seen.hints).toBeGreaterThan(0);
    expect(seen.hints).toBeLessThan(50);
    stop?.();
    await wait(200);
    seen.hints = 0;
    await trail.commit({ count: -1 });
    await wait(200);
    expect(seen.hints).toBe(0);
    await cairn.close();
    await store.close();
  });
});
