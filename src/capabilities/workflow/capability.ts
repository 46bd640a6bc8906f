import type { Capability } from "../../work/project/capability.ts";

/** Runs of steps that survive a crash. */
export const workflow: Capability = {
  name: "workflow",
  needs: [],
  runs: async () => (await import("./project-runs.ts")).projectRuns,
};
