import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testStress } from "../../src/store/conformance/stress.ts";
import { createSuite } from "../../src/store/conformance/suite.ts";
import type { Store } from "../../src/store/contract.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/store/postgres.ts";
import { mutantOf, MUTANTS, mutate } from "./support/mutants.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("the stress topic", () => {
  let server: TestServer;
  beforeAll(async () => {
    // A mutant that deadlocks need not wait for a second each time.
    server = await startServer(programs as string, { settings: ["deadlock_timeout=50ms"] });
  });
  afterAll(() => server?.stop());

  let count = 0;
  it.each(Object.keys(MUTANTS))("notices when %s", { timeout: 120_000 }, async (name) => {
    const mutant = mutantOf(MUTANTS[name] ?? []);
    const schemas = new WeakMap<Store, string>();
    const open = async () => {
      const schema = `mutant_${count++}`;
      await migratePostgresStore({ url: server.url, schema });
      await mutate(server.url, schema, mutant);
      const store = await openPostgresStore({ url: server.url, schema });
      schemas.set(store, schema);
      return store;
    };
    const tests: (() => Promise<void>)[] = [];
    const add = Object.assign((_name: string, test: () => Promise<void>) => tests.push(test), {
      skip: () => undefined,
    });
    const openSecond = (store: Store) => openPostgresStore({ url: server.url, schema: schemas.get(store) });
    testStress(createSuite(open, { describe: (_name, body) => body(), it: add, openSecond }));
    expect(await isNoticedBy(tests)).toBe(true);
  });
});

async function isNoticedBy(tests: readonly (() => Promise<void>)[]): Promise<boolean> {
  for (const test of tests) {
    const isPassed = await test().then(
      () => true,
      () => false,
    );
    if (!isPassed) return true;
  }
  return false;
}
