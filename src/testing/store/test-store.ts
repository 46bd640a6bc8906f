import type { Store } from "../../core/store/contract.ts";
import { testAdoption, testCommits, testForeignIds, testHeadsAndParents, testNames } from "./commits.ts";
import { testCursors, testFinding, testTrailList } from "./finding.ts";
import { testHistory, testPaging, testSequence } from "./history.ts";
import { testLifetime } from "./lifetime.ts";
import { testBuffers, testObjects, testPredecessors, testRawBytes } from "./objects.ts";
import { testBuilders, testRacing } from "./racing.ts";
import { testRandomWalks } from "./random-walk.ts";
import { testLog } from "./log.ts";
import { testLifeOfRecords, testRecords, testRecordsOfCommits } from "./records.ts";
import { testRemoval, testTombstones, testTrailRemoval } from "./removal.ts";
import { testStress } from "./stress.ts";
import { createSuite, type StoreTestOptions, type Suite } from "./suite.ts";
import { testSweeping, testSweepingBesideCommits } from "./sweeping.ts";
import { testDamage, testVerifying } from "./verifying.ts";

type Topic = (suite: Suite) => void;

const TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  objects: [testObjects, testRawBytes, testBuffers, testPredecessors],
  commits: [testCommits, testHeadsAndParents, testForeignIds, testNames, testAdoption],
  "racing writers": [testRacing, testBuilders],
  history: [testHistory, testPaging, testSequence],
  finding: [testFinding, testCursors, testTrailList],
  records: [testRecords, testRecordsOfCommits, testLifeOfRecords],
  log: [testLog],
  removal: [testRemoval, testTrailRemoval, testTombstones],
  sweeping: [testSweeping, testSweepingBesideCommits],
  verifying: [testVerifying, testDamage],
  lifetime: [testLifetime],
  "random walks": [testRandomWalks],
  stress: [testStress],
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
  for (const [name, topics] of Object.entries(TOPICS)) {
    options.describe(name, () => {
      for (const topic of topics) topic(suite);
    });
  }
}
