import type { Capability } from "../../work/project/capability.ts";

/** Stores on a PostgreSQL server, which many machines share. */
export const postgres: Capability = {
  name: "postgres",
  needs: [],
  sharedStores: async () => ({ open: (await import("./store.ts")).openPostgresStore }),
};
