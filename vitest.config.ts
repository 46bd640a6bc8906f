import { defineConfig, type ViteUserConfig } from "vitest/config";

/** These mock modules, run the tests of other files, or use services and clients that are for one file at a time. */
const ALONE = ["tests/postgres/runs*.test.ts", "tests/{e2e,services}/**/*.test.ts"];

const config: ViteUserConfig = defineConfig({
  test: {
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
