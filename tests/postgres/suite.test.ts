import { afterAll, beforeAll, describe, it } from "vitest";

import { testStore } from "../../src/testing/store/test-store.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/store/postgres.ts";
import { startPgbouncer } from "./support/pgbouncer.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

// Thousands of round trips to another process, on a machine that may be busy.
const programs = findPostgres();

describe.skipIf(programs === undefined)("PostgreSQL store", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer(programs as string);
    if (process.env["CAIRN_TEST_PGBOUNCER"]) server = await startPgbouncer(server);
  });
  afterAll(() => server?.stop());

  let count = 0;
  const schemas = new WeakMap<object, string>();
  const open = async (schema: string) => {
    const store = await openPostgresStore({ url: server.url, schema });
    schemas.set(store, schema);
    return store;
  };
  const openNew = async () => {
    const schema = `store_${count++}`;
    await migratePostgresStore({ url: server.url, schema });
    return open(schema);
  };

  testStore(openNew, {
    describe,
    it,
    reopen: (store) => open(schemas.get(store) as string),
    openSecond: (store) => open(schemas.get(store) as string),
  });
});
