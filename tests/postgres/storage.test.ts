import { afterAll, beforeAll, describe, expect, it } from "vitest";
import pg from "pg";

import { openCairn } from "../../src/work/state/cairn.ts";
import { changeOf } from "../../src/testing/store/samples.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("what a PostgreSQL store writes", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(programs as string);
    await migratePostgresStore({ url: server.url, schema: "written" });
  });
  afterAll(() => server?.stop());

  it("is the change where there is little, in chains that stay short, also by a second process", async () => {
    const text = Array.from({ length: 300 }, (_, at) => `word ${(at * 7919) % 1000}`).join(" ");
    for (let handle = 0; handle < 2; handle++) {
      const cairn = await openCairn({
        store: await openPostgresStore({ url: server.url, schema: "written" }),
      });
      const trail = cairn.trail<{ text: string; count: number }>("main", { initial: { text: "", count: 0 } });
      for (let turn = 0; turn < 50; turn++)
        await trail.commit((state) => Object.assign(state, { text, count: state.count + 1 }));
      await cairn.close();
    }
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ changes: number; deepest: number; mean: number }>(
      `SELECT count(*) FILTER (WHERE base IS NOT NULL)::int AS changes, (
           WITH RECURSIVE chain AS (
             SELECT number, 0 AS depth FROM written.objects WHERE base IS NULL
             UNION ALL SELECT o.number, depth + 1 FROM chain JOIN written.objects AS o ON o.base = chain.number
           ) SELECT max(depth)::int FROM chain
         ) AS deepest,
         avg(octet_length(data)) FILTER (WHERE base IS NOT NULL)::int AS mean FROM written.objects`,
    );
    await client.end();
    const [{ changes, deepest, mean } = { changes: 0, deepest: 0, mean: 0 }] = rows;
    expect(changes).toBeGreaterThan(90);
    expect(deepest).toBeLessThanOrEqual(64);
    expect(mean).toBeLessThan(200);
  });

  it("can be read by people with a SQL shell: what agents did, and what was decided about them", async () => {
    const store = await openPostgresStore({ url: server.url, schema: "written" });
    const log = [
      { type: "action", at: "2026-01-01", agent: "a", tier: 1, attested: true, action: "save" },
      { type: "violation", at: "2026-01-02", agent: "a", rule: "denied", what: "no" },
      { type: "promotion", at: "2026-01-03", agent: "a", from: 0, to: 1, by: "rule" },
      { type: "task", at: "2026-01-04", agent: "a", trail: "main", task: "1", status: "pending" },
    ];
    await store.commit({ ...changeOf("a", { trail: "logged" }), log });
    expect((await store.readLog()).map(({ entry }) => entry)).toEqual(log);
    await store.close();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const rows = async (view: string) =>
      (await client.query(`SELECT * FROM written.${view}`)).rows as unknown[];
    expect(await rows("agent_actions")).toMatchObject([
      { number: "1", agent: "a", tier: "1", action: "save" },
    ]);
    expect(await rows("violations")).toMatchObject([{ number: "2", rule: "denied", what: "no" }]);
    expect(await rows("promotions")).toMatchObject([{ number: "3", type: "promotion", from: "0", to: "1" }]);
    expect(await rows("tasks")).toMatchObject([{ number: "4", task: "1", status: "pending" }]);
    await client.end();
  });
});
