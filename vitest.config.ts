import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** These mock modules, run the tests of other files, or use services and clients that are for one file at a time. */
const ALONE = ["tests/postgres/runs*.test.ts", "tests/{e2e,services}/**/*.test.ts"];

/** Short files whose tests take long. */
const LONG = [
  "src/store/sqlite",
  "tests/postgres/mutants",
  "tests/postgres/suite",
  "tests/postgres/worker-campaign",
  "tests/postgres/worker-signals",
];

/**
 * Vitest begins with the files that took longest the last time. In a fresh checkout it knows only their sizes, and would leave
 * these for the end, where the other workers have nothing to do any more.
 */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      LONG.some((name) => moduleId.endsWith(`/${name}.test.ts`));
    const rank = (file: TestSpecification) => (file.project.name === "alone" ? 0 : isLong(file) ? 1 : 2);
    // oxlint-disable-next-line unicorn/no-array-sort -- Not an array's: it returns a new one.
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

const config: ViteUserConfig = defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    // Processes, not threads: tests kill writers and read exit statuses.
    pool: "forks",
    // More than there are cores, because tests wait for processes, browsers and servers.
    maxWorkers: 4,
    projects: [
      { extends: true, test: { name: "alone", include: ALONE } },
      {
        extends: true,
        // These touch nothing that others could see. So files share a process, and most of them run the command: one process
        // runs it for all files that share a worker.
        test: {
          name: "shared",
          include: ["{src,examples,tests}/**/*.test.ts"],
          exclude: ALONE,
          isolate: false,
        },
      },
    ],
    // A test that hangs shall end; one on a busy machine shall not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});

export default config;
