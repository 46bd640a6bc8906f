import type { Project } from "../../work/project/project.ts";
import { reachable } from "../../work/project/shared-store.ts";
import type { Cluster } from "./cluster.ts";

/** The cluster of a project's shared store, open as long as its stores are; undefined for a store in `.cairn`. */
export async function clusterOf({ shared, stores }: Project): Promise<Cluster | undefined> {
  if (shared === undefined) return undefined;
  return stores.keepOpen(`workers ${shared.url} ${shared.schema}`, async () => {
    // Loaded only here: whoever uses SQLite needs neither this nor the driver.
    const { openCluster } = await import("./cluster.ts");
    return openCluster(reachable(shared));
  });
}
