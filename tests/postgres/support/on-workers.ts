import { afterEach } from "vitest";

import { openCluster, type Cluster } from "../../../src/capabilities/workers/cluster.ts";
import { migrateCluster } from "../../../src/capabilities/workers/dispatcher.ts";
import {
  moveIfOnWorkers,
  resumeOnWorkers,
  startOnWorkers,
} from "../../../src/capabilities/workers/run-on-workers.ts";
import { Worker } from "../../../src/capabilities/workers/worker.ts";
import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";
import type { Workflow } from "../../../src/capabilities/workflow/definition/types.ts";
import { inputVariable } from "../../../src/capabilities/workflow/engine/step-environment.ts";
import type { Run } from "../../../src/capabilities/workflow/run/run-state.ts";
import type { resumeRun } from "../../../src/capabilities/workflow/runner/resume-run.ts";
import type { startRun } from "../../../src/capabilities/workflow/runner/start-run.ts";
import { sharedStoreOf } from "../../workflow/support/context.ts";

const clusters = new Map<string, Promise<Cluster>>();
/** Of the projects whose runs have been started here. */
const contexts = new Map<string, WorkflowContext>();

afterEach(async () => {
  const open = [...clusters.values()];
  clusters.clear();
  contexts.clear();
  for (const cluster of open) await (await cluster).close();
});

function clusterOf({ root }: WorkflowContext): Promise<Cluster> {
  const open = async () => {
    const cluster = await openCluster(sharedStoreOf(root)!);
    await migrateCluster(cluster.database);
    return cluster;
  };
  if (!clusters.has(root)) clusters.set(root, open());
  return clusters.get(root)!;
}

interface Wanted {
  readonly workflow?: Workflow | undefined;
  readonly inputs?: Readonly<Record<string, string>> | undefined;
}

/** A worker of the project, with the inputs in its environment, works as long as a run is watched. */
async function withWorker(
  context: WorkflowContext,
  { workflow, inputs = {} }: Wanted,
  watch: (cluster: Cluster) => Promise<Run>,
): Promise<Run> {
  const cluster = await clusterOf(context);
  contexts.set(context.root, context);
  const given = Object.entries(inputs).map(([name, value]) => [inputVariable(name), value]);
  const env = { ...context.env, ...(Object.fromEntries(given) as Record<string, string>) };
  const drain = new AbortController();
  const workflows = workflow === undefined ? [] : [workflow];
  const worker = new Worker({ ...context, env }, cluster, { workflows, slots: 8, drain: drain.signal });
  const working = worker.run();
  try {
    return await watch(cluster);
  } finally {
    drain.abort();
    await working;
  }
}

export const startAtWorkers: typeof startRun = (context, workflow, options) =>
  withWorker(context, { workflow, inputs: options?.inputs }, (cluster) =>
    startOnWorkers(context, cluster, workflow, { ...options, pausesOnSignal: true }),
  );

export const resumeAtWorkers: typeof resumeRun = (context, id, options) =>
  withWorker(context, options ?? {}, (cluster) =>
    resumeOnWorkers(context, cluster, id, { ...options, pausesOnSignal: true }),
  );

/** What follows from a decision about a run, or from its end, is started or stopped. */
export async function followUp({ root }: Pick<WorkflowContext, "root">, run: Run): Promise<void> {
  const context = contexts.get(root);
  if (context !== undefined) await moveIfOnWorkers(context, await clusterOf(context), run);
}
