type Test = () => Promise<void>;

/** What vitest, jest and node:test have in common. */
export interface TestRunner {
  describe(name: string, tests: () => void): unknown;
  readonly it: {
    (name: string, test: Test): unknown;
    skip(name: string, test: Test): unknown;
  };
}
