import { defineConfig, type ViteUserConfig } from "vitest/config";

const SHARING = [
  "tests/{adapters,cli,doors,governance,mcp,mirror,plugin,remote,seeds,sessions,store,transcripts,web}/**/*.test.ts",
  "tests/*.test.ts",
];

const config: ViteUserConfig = defineConfig({
  test: {
    // Processes, not threads: tests kill writers, change umasks and read exit statuses.
    pool: "forks",
    maxWorkers: 3,
    projects: [
      {
        extends: true,
        // These touch nothing that others could see, so they need no process of their own each.
        test: { name: "units", include: ["{src,examples}/**/*.test.ts"], isolate: false },
      },
      {
        extends: true,
        // Neither do these, and most of them run the command: one process runs it for all files that share a worker.
        test: {
          name: "programs",
          include: SHARING,
          isolate: false,
        },
      },
      { extends: true, test: { name: "alone", include: ["tests/**/*.test.ts"], exclude: SHARING } },
    ],
    // A test that hangs shall end; one on a busy machine shall not.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

export default config;
