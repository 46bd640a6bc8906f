import type { Store } from "../contract.ts";
import { testCommits } from "./commits.ts";
import { testFinding } from "./finding.ts";
import { testHistory } from "./history.ts";
import { testLifetime } from "./lifetime.ts";
import { testObjects } from "./objects.ts";
import { testRacing } from "./racing.ts";
import { testRandomWalks } from "./random-walk.ts";
import { testRecords } from "./records.ts";
import { testRemoval } from "./removal.ts";
import { createSuite, type StoreTestOptions, type Suite } from "./suite.ts";
import { testSweeping } from "./sweeping.ts";
import { testVerifying } from "./verifying.ts";

const TOPICS: Readonly<Record<string, (suite: Suite) => void>> = {
  objects: testObjects,
  commits: testCommits,
  "racing writers": testRacing,
  history: testHistory,
  finding: testFinding,
  records: testRecords,
  removal: testRemoval,
  sweeping: testSweeping,
  verifying: testVerifying,
  lifetime: testLifetime,
  "random walks": testRandomWalks,
};

/**
 * The store contract as tests: a store is done when they pass. `open` returns a new, empty store each time;
 * the suite closes it. Runs under vitest, jest and node:test, whose `describe` and `it` are passed in.
 *
 * @example
 * import { describe, it } from "node:test";
 * import { testStore } from "cairn-checkpoint/testing";
 *
 * describe("my store", () => {
 *   testStore(openMyStore, { describe, it });
 * });
 */
export function testStore(open: () => Promise<Store>, options: StoreTestOptions): void {
  const suite = createSuite(open, options);
  for (const [topic, testTopic] of Object.entries(TOPICS)) {
    options.describe(topic, () => testTopic(suite));
  }
}
