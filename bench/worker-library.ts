import type * as ClusterFile from "../src/capabilities/workers/cluster.ts";
import type * as DispatcherFile from "../src/capabilities/workers/dispatcher.ts";
import type * as OnWorkers from "../src/capabilities/workers/run-on-workers.ts";
import type * as SubmitRun from "../src/capabilities/workers/submit-run.ts";
import type * as RunWorker from "../src/doors/library/workflow/run-worker.ts";
import type * as LoadWorkflow from "../src/capabilities/workflow/definition/load-workflow.ts";

// The build, for the same reason as in library.ts.
const built = async (file: string): Promise<unknown> =>
  import(new URL(`../dist/${file}.js`, import.meta.url).href);

export const { openCluster } = (await built("capabilities/workers/cluster")) as typeof ClusterFile;
export const { migrateCluster } = (await built("capabilities/workers/dispatcher")) as typeof DispatcherFile;
export const { startOnWorkers } = (await built("capabilities/workers/run-on-workers")) as typeof OnWorkers;
export const { submitRun } = (await built("capabilities/workers/submit-run")) as typeof SubmitRun;
export const { runWorker } = (await built("doors/library/workflow/run-worker")) as typeof RunWorker;
export const { loadWorkflow } = (await built(
  "capabilities/workflow/definition/load-workflow",
)) as typeof LoadWorkflow;
