import { defineConfig, type ViteUserConfig } from "vitest/config";

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
      { extends: true, test: { name: "programs", include: ["tests/**/*.test.ts"] } },
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});

export default config;
