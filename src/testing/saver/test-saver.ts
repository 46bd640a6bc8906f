import { testCopies, testPruning } from "./keeping.ts";
import { testDeletion, testForks, testRetries } from "./lines.ts";
import { createSaverSuite, type OpenedSaver, type SaverSuite, type SaverTestOptions } from "./suite.ts";
import { testHostileData, testMutation, testTampering } from "./values.ts";

const TOPICS: Readonly<Record<string, (suite: SaverSuite) => void>> = {
  forks: testForks,
  "retries and second writers": testRetries,
  deletion: testDeletion,
  mutation: testMutation,
  "hostile data": testHostileData,
  tampering: testTampering,
  copies: testCopies,
  pruning: testPruning,
};

/**
 * What LangGraph's own suite for checkpointers leaves out, as tests for any checkpointer: forks, retries, late writes, changes
 * in place, hostile data, tampering, copies and pruning. `open` returns a saver on a new, empty store each time.
 *
 * @example
 * import { describe, it } from "node:test";
 * import { testSaver } from "cairn-checkpoint/testing";
 *
 * describe("my saver", () => {
 *   testSaver(openMySaver, { describe, it });
 * });
 */
export function testSaver(open: () => Promise<OpenedSaver>, options: SaverTestOptions): void {
  const suite = createSaverSuite(open, options);
  for (const [name, topic] of Object.entries(TOPICS)) options.describe(name, () => topic(suite));
}
