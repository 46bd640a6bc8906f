import type { SharedWork } from "../postgres/shared-work.ts";
import { clusterOf } from "./cluster-of.ts";

/** The tables and the queue of workers in a shared store, as the store's commands ask for them. */
export const sharedWork: SharedWork = {
  async migrate(store, role) {
    const { openCluster } = await import("./cluster.ts");
    const { migrateCluster } = await import("./dispatcher.ts");
    const cluster = await openCluster(store);
    try {
      await migrateCluster(cluster.database, role);
    } finally {
      await cluster.close();
    }
  },

  async status(project) {
    const cluster = await clusterOf(project);
    if (cluster === undefined) return null;
    const { workStatus } = await import("./work-status.ts");
    return workStatus(cluster.database);
  },
};
