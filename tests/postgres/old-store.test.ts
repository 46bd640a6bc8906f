import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

/** The dump of a store whose long patches an earlier version deflated. */
const DUMP = readFileSync(join(import.meta.dirname, "../old-stores/postgres-1.sql"), "utf8");
const DEFLATED = "get_byte(data, 0) = 3 AND base IS NOT NULL";

const programs = findPostgres();

describe.skipIf(programs === undefined)("a PostgreSQL store with rows that are deflated", () => {
  let server: TestServer;
  const place = () => ({ url: server.url, schema: "old" });
  beforeAll(async () => {
    server = await startServer(programs as string);
  });
  afterAll(() => server?.stop());
  beforeEach(() => sql(`DROP SCHEMA IF EXISTS old CASCADE; ${DUMP}`));

  async function sql<Row>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return (await client.query(text)).rows as Row[];
    } finally {
      await client.end();
    }
  }
  const countWhere = async (condition: string) => {
    const rows = await sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM old.objects WHERE ${condition}`,
    );
    return rows[0]?.count;
  };
  /** Every state of the trail is read and hashed. */
  const readAll = async () => {
    const cairn = await openCairn({ store: await openPostgresStore(place()) });
    const trail = cairn.trail<{ messages: string[]; count: number }>("main");
    const counts: number[] = [];
    for (const { id } of await cairn.store.history("main")) {
      const { state } = await trail.load(id);
      expect(state.messages).toHaveLength(state.count);
      counts.push(state.count);
    }
    const { damage } = await cairn.verify();
    await cairn.close();
    return { counts, damage };
  };
  const WHOLE = { counts: [8, 7, 6, 5, 4, 3, 2, 1], damage: [] };

  it("is read as it is, and gets no more of them", async () => {
    expect(await countWhere(DEFLATED)).toBe(5);
    expect(await readAll()).toEqual(WHOLE);
    const cairn = await openCairn({ store: await openPostgresStore(place()) });
    const text = Array.from({ length: 60 }, (_, at) => `word ${(at * 7919) % 1000}`).join(" ");
    await cairn
      .trail<{ messages: string[]; count: number }>("main")
      .commit((state) => void state.messages.push(text));
    await cairn.close();
    expect(await countWhere(DEFLATED)).toBe(5);
    expect(await countWhere("get_byte(data, 0) = 2 AND base IS NOT NULL")).toBe(1);
  });

  it("is rewritten by a migration, with the same ids", async () => {
    const ids = () => sql("SELECT id FROM old.objects ORDER BY id");
    const before = await ids();
    expect(await migratePostgresStore(place())).toEqual({ from: 1, to: 1 });
    expect(await countWhere(DEFLATED)).toBe(0);
    expect(await ids()).toEqual(before);
    expect(await readAll()).toEqual(WHOLE);
  });

  it("keeps a row that is damaged as it is, for verify to name", async () => {
    const [row] = await sql<{ id: string }>(
      `UPDATE old.objects SET data = set_byte(data, 40, get_byte(data, 40) # 1)
       WHERE number = (SELECT max(number) FROM old.objects WHERE ${DEFLATED}) RETURNING encode(id, 'hex') AS id`,
    );
    await migratePostgresStore(place());
    expect(await countWhere(DEFLATED)).toBe(1);
    const store = await openPostgresStore(place());
    const { damage } = await store.verify();
    expect(JSON.stringify(damage)).toContain(row?.id);
    await store.close();
  });
});
