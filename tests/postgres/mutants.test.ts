import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { testStress } from "../../src/testing/store/stress.ts";
import { testLog } from "../../src/testing/store/log.ts";
import { createSuite, type Suite } from "../../src/testing/store/suite.ts";
import type { Store } from "../../src/core/store/contract.ts";
import { migratePostgresStore, openPostgresStore } from "../../src/capabilities/postgres/store.ts";
import { LOG_MUTANTS, mutantOf, MUTANTS, mutate } from "./support/mutants.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

/** How often each mutant is tried; the store as it is, which the suite runs anyway, five times as often. */
const RUNS = Number(process.env["CAIRN_TEST_STRESS"] ?? 1);

describe.skipIf(programs === undefined)("a topic of the suite", () => {
  let server: TestServer;
  beforeAll(async () => {
    // A mutant that deadlocks need not wait for a second each time.
    server = await startServer(programs as string, { settings: ["deadlock_timeout=50ms"] });
  });
  afterAll(() => server?.stop());

  let count = 0;
  /** Whether a test of the topic fails on a store with these functions. */
  const isNoticed = async (mutant: readonly string[], topic: (suite: Suite) => void): Promise<boolean> => {
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
    topic(createSuite(open, { describe: (_name, body) => body(), it: add, openSecond }));
    // A mutant that cannot even be made is not noticed.
    await (await open()).close();
    for (const test of tests) {
      const failed = await test().then(
        () => false,
        () => true,
      );
      if (failed) return true;
    }
    return false;
  };

  it.each(Object.keys(LOG_MUTANTS))("about the log notices when %s", { timeout: 120_000 }, async (name) => {
    expect(await isNoticed(mutantOf(LOG_MUTANTS[name] ?? []), testLog)).toBe(true);
  });

  it.each(Object.keys(MUTANTS))("under stress notices when %s", { timeout: RUNS * 480_000 }, async (name) => {
    const mutant = mutantOf(MUTANTS[name] ?? []);
    let noticed = 0;
    for (let run = 0; run < RUNS; run++) if (await isNoticed(mutant, testStress)) noticed++;
    expect(noticed).toBe(RUNS);
  });

  it.skipIf(RUNS === 1)("notices nothing in the store as it is", { timeout: RUNS * 600_000 }, async () => {
    for (let run = 0; run < RUNS * 5; run++) expect(await isNoticed([], testStress)).toBe(false);
  });
});
