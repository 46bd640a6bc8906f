import type { WorksInStores } from "../postgres/shared-work.ts";
import type { DrivesElsewhere } from "../workflow/elsewhere.ts";
import { VERBS } from "./verbs.ts";

/** Steps of runs on many machines, which share a store. */
export const workers: DrivesElsewhere & WorksInStores = {
  name: "workers",
  needs: ["postgres", "workflow"],
  verbs: VERBS,
  elsewhere: async () => (await import("./runs-elsewhere.ts")).runsElsewhere,
  sharedWork: async () => (await import("./shared-work.ts")).sharedWork,
};
