import type { Store } from "../../src/core/store/contract.ts";
import type { StoreTestOptions } from "../../src/testing/store/suite.ts";
import { testStore } from "../../src/testing/store/test-store.ts";
import type { TestRunner } from "../../src/testing/test-runner.ts";

type Options = Partial<Omit<StoreTestOptions, keyof TestRunner>> & {
  readonly leaveOut?: string;
  readonly only?: string;
};

/** Runs the suite without a test runner and collects the names of the tests that fail: for proving that they can. */
export async function runSuite(open: () => Promise<Store>, { leaveOut, only, ...options }: Options = {}) {
  const tests = new Map<string, () => Promise<void>>();
  const leftOut: string[] = [];
  const add = (name: string, test: () => Promise<void>) => tests.set(name, test);
  const skip = (name: string) => leftOut.push(name);
  testStore(open, { describe: (_name, body) => body(), it: Object.assign(add, { skip }), ...options });
  if (leaveOut !== undefined) tests.delete(leaveOut);

  const errors = new Map<string, string>();
  for (const [name, test] of tests) {
    if (only !== undefined && name !== only) continue;
    await test().catch((error: unknown) => errors.set(name, String(error)));
  }
  return { failed: [...errors.keys()], errors, leftOut };
}
