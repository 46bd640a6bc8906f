import type { Capability } from "../../work/project/capability.ts";
import { VERBS } from "./verbs.ts";

/** Stores on a PostgreSQL server, which many machines share. */
export const postgres: Capability = {
  name: "postgres",
  needs: [],
  verbs: VERBS,
  sharedStores: async () => ({ open: (await import("./store.ts")).openPostgresStore }),
};
