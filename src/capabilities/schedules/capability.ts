import type { Capability } from "../../work/project/capability.ts";
import type { FiresDueRuns } from "../workflow/due-runs.ts";
import { VERBS } from "./verbs.ts";

/** Runs of workflows at the times that a schedule names. */
export const schedules: Capability & FiresDueRuns = {
  name: "schedules",
  needs: ["workflow"],
  verbs: VERBS,
  dueRuns: async () => (await import("./fire-due.ts")).handInDue,
};
