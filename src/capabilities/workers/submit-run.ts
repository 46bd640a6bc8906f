import { isDeepStrictEqual } from "node:util";

import { CheckpointError, insteadOf, isCheckpointError } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { checkInputs, secretInputs } from "../workflow/definition/inputs.ts";
import { limitOf } from "../workflow/definition/limit.ts";
import { defined } from "../../work/yaml/defined.ts";
import type { Workflow } from "../workflow/definition/types.ts";
import type { SubmittedRun } from "../workflow/elsewhere.ts";
import type { Run } from "../workflow/run/run-state.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import { openRunTrail, RunJournal } from "../workflow/runner/run-journal.ts";
import { prepareRun, type StartOptions } from "../workflow/runner/start-run.ts";
import { watchOver } from "./claims.ts";
import type { Cluster } from "./cluster.ts";
import { moveRun } from "./move-run.ts";

/** A new run whose steps are done by workers. Rejects with `conflict` when there is one of that name. */
export async function beginRun(
  context: WorkflowContext,
  cluster: Cluster,
  workflow: Workflow,
  options: StartOptions,
): Promise<Run> {
  const prepared = await prepareRun(context, workflow, {
    ...options,
    inputs: withSecretNames(workflow, options),
  });
  const limit = limitOf(workflow, prepared.run.inputs);
  const run: Run = { ...prepared.run, runs_on: "workers", ...defined({ limit, priority: options.priority }) };
  await watchOver(cluster.database, run.id);
  const journal = new RunJournal(context, openRunTrail(context, run.id), { epoch: 1 });
  await journal.begin(run, `${run.workflow}: started, for workers`);
  await moveRun(context, cluster, run.id);
  return run;
}

/**
 * Hands a run to workers. Its name is the key: a second call with it finds the run of the first one, whatever became of it, and
 * rejects with `conflict` when that run is of another workflow or has other inputs.
 */
export async function submitRun(
  context: WorkflowContext,
  cluster: Cluster,
  workflow: Workflow,
  options: StartOptions,
): Promise<SubmittedRun> {
  const { runId } = options;
  if (runId === undefined) return { run: await beginRun(context, cluster, workflow, options), isNew: true };
  const found = () => readRun(context, runId).catch(insteadOf("not-found", undefined));
  const there = await found();
  if (there !== undefined) return { run: sameRequest(there, workflow, options), isNew: false };
  try {
    return { run: await beginRun(context, cluster, workflow, options), isNew: true };
  } catch (error) {
    // Another process may have handed it in at the same moment.
    const run = isCheckpointError(error, "conflict") ? await found() : undefined;
    if (run === undefined) throw error;
    return { run: sameRequest(run, workflow, options), isNew: false };
  }
}

/** Workers have the values of secrets in their own environment; here only the names count. */
function withSecretNames(workflow: Workflow, { inputs }: StartOptions): Record<string, string> {
  return { ...Object.fromEntries(secretInputs(workflow).map((name) => [name, ""])), ...inputs };
}

function sameRequest(run: Run, workflow: Workflow, options: StartOptions): Run {
  const { plain } = checkInputs(workflow, withSecretNames(workflow, options));
  const isSame = run.workflow === workflow.name && isDeepStrictEqual({ ...run.inputs }, plain);
  if (isSame) return run;
  const what = run.workflow === workflow.name ? "with other inputs" : `of the workflow "${run.workflow}"`;
  throw new CheckpointError("conflict", `There is already a run "${run.id}", ${what}.`, {
    hint: `checkpoint runs show ${run.id}`,
    details: { run: run.id },
  });
}
