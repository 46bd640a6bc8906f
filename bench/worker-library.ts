import type * as ClusterFile from "../src/workflow/cluster/cluster.ts";
import type * as DispatcherFile from "../src/workflow/cluster/dispatcher.ts";
import type * as OnWorkers from "../src/workflow/cluster/run-on-workers.ts";
import type * as RunWorker from "../src/project/library/run-worker.ts";
import type * as LoadWorkflow from "../src/workflow/definition/load-workflow.ts";

// The build, for the same reason as in library.ts.
const built = async (file: string): Promise<unknown> =>
  import(new URL(`../dist/${file}.js`, import.meta.url).href);

export const { openCluster } = (await built("workflow/cluster/cluster")) as typeof ClusterFile;
export const { migrateCluster } = (await built("workflow/cluster/dispatcher")) as typeof DispatcherFile;
export const { startOnWorkers } = (await built("workflow/cluster/run-on-workers")) as typeof OnWorkers;
export const { runWorker } = (await built("project/library/run-worker")) as typeof RunWorker;
export const { loadWorkflow } = (await built("workflow/definition/load-workflow")) as typeof LoadWorkflow;
