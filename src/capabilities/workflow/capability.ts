import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Runs of steps that survive a crash. */
export const workflow: Capability = {
  name: "workflow",
  needs: [],
  verbs: VERBS,
  feed: async () => (await import("./feed-source.ts")).runNews,
  runs: async () => (await import("./project-runs.ts")).projectRuns,
};
