import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, it } from "vitest";

import { testStore } from "../../src/testing/store/test-store.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { startPgbouncer } from "./support/pgbouncer.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

// Thousands of round trips to another process, on a machine that may be busy.
const programs = findPostgres();

describe.skipIf(programs === undefined)("PostgreSQL store", () => {
  let server: TestServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startServer(programs as string);
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
    if (process.env["CAIRN_TEST_PGBOUNCER"]) server = await startPgbouncer(server);
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });

  // Making a store takes longer than most tests, so those that a test has closed are emptied for the next.
  const inUse: string[] = [];
  const emptied: string[] = [];
  afterEach(async () => {
    for (const schema of inUse.splice(0)) {
      await empty(admin, schema);
      emptied.push(schema);
    }
  });

  let count = 0;
  const makeSchema = async () => {
    const schema = `store_${count++}`;
    await migratePostgresStore({ url: server.url, schema });
    return schema;
  };
  const schemas = new WeakMap<object, string>();
  const open = async (schema: string) => {
    const store = await openPostgresStore({ url: server.url, schema });
    schemas.set(store, schema);
    return store;
  };
  const openNew = async () => {
    const schema = emptied.pop() ?? (await makeSchema());
    inUse.push(schema);
    return open(schema);
  };

  testStore(openNew, {
    describe,
    it,
    isInOrder: false,
    reopen: (store) => open(schemas.get(store) as string),
    openSecond: (store) => open(schemas.get(store) as string),
  });
});

/** Deletes all rows but those of `meta`, which say what the store is, and lets all sequences begin again. */
async function empty(admin: pg.Client, schema: string): Promise<void> {
  const { rows } = await admin.query<{ sql: string }>(
    `SELECT format(CASE relkind WHEN 'S' THEN 'ALTER SEQUENCE %s RESTART' ELSE 'TRUNCATE %s' END, oid::regclass) AS sql
     FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'S') AND relname <> 'meta'`,
  );
  await admin.query(rows.map(({ sql }) => sql).join(";"));
}
