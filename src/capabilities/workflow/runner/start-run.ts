import { readGitHead } from "../../../work/capture/git/git-head.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { WorkflowContext } from "../context.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { checkInputs, recordedInputs, type InputValues } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import { newRun, type Run } from "../run/run-state.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { surroundingsOf } from "./run-folder.ts";
import { checkRunId, newRunId } from "./run-id.ts";
import { openRunTrail, runExists, RunJournal } from "./run-journal.ts";
import { leasesOf } from "./run-lease.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export interface StartOptions extends RunnerOptions {
  readonly inputs?: Readonly<Record<string, string>>;
  /** The run's name; made of the workflow's name and the time unless given. */
  readonly runId?: string;
  /** How many steps may run at the same time: 4 unless the workflow says otherwise. */
  readonly jobs?: number | undefined;
  /** At workers: steps of runs with a higher one are taken first; 0 unless given. */
  readonly priority?: number | undefined;
  /** The request in the user's words. */
  readonly request?: string | undefined;
  readonly metadata?: Json;
}

/**
 * Runs a workflow to its end, or until a person has to decide. Every step boundary is durable before anything
 * follows from it. The returned run's status says how it ended.
 *
 * @example
 * const run = await startRun(context, await loadWorkflow("build.yaml", { cwd: root }), { inputs: { feature: "login" } });
 * if (run.status === "awaiting_approval") console.log(`checkpoint approve ${run.id}`);
 */
export async function startRun(
  context: WorkflowContext,
  workflow: Workflow,
  options: StartOptions = {},
): Promise<Run> {
  const { run: blank, secrets } = await prepareRun(context, workflow, options);
  const { pid, host } = context;
  const run = { ...blank, runner: { pid, host, since: blank.created_at } };
  const lease = await leasesOf(context).take(run.id, 1);
  if (lease === undefined) throw runExists(run.id);
  try {
    const journal = new RunJournal(context, openRunTrail(context, run.id), { epoch: 1 });
    const { functions } = workflow;
    const parts = { context: surroundingsOf(context, run, secrets), journal, functions };
    return await new Runner(parts, options).start(run);
  } finally {
    await lease.release();
  }
}

/** A run that is not stored yet, and the values of its secret inputs. Rejects if there is one of that name. */
export async function prepareRun(
  context: WorkflowContext,
  workflow: Workflow,
  { inputs: given = {}, runId, request, metadata, jobs = workflow.jobs }: StartOptions,
): Promise<{ readonly run: Run; readonly secrets: InputValues["secret"] }> {
  const inputs = checkInputs(workflow, given);
  const now = context.now();
  const { name, file, steps: definition } = workflow;
  const id = checkRunId(runId ?? newRunId(name, now));
  if (await context.cairn.store.head(runTrail(id))) throw runExists(id);
  const git_head = readGitHead(context.root)?.head ?? undefined;
  const run = {
    ...newRun({ id, workflow: name, definition, inputs: inputs.plain, now }),
    ...recordedInputs(inputs, given),
    ...defined({ file, request, jobs, git_head, metadata, started_by: context.actor }),
  };
  return { run, secrets: inputs.secret };
}
