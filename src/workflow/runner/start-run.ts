import { readGitHead } from "../../capture/git/git-head.ts";
import type { Json } from "../../objects/json.ts";
import type { WorkflowContext } from "../context.ts";
import { defined } from "../definition/defined.ts";
import { checkInputs, recordedInputs } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import { localEngine } from "../engine/local-engine.ts";
import { newRun, runTrail, type Run } from "../run/run-state.ts";
import { runFolder, surroundingsOf } from "./run-folder.ts";
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
  const { inputs: given = {} } = options;
  const inputs = checkInputs(workflow, given);
  const id = checkRunId(options.runId ?? newRunId(workflow.name, context.now()));
  const trail = openRunTrail(context, id);
  // Checked before the lease, whose folder would otherwise be made for a run that is not started.
  if (await context.cairn.store.head(runTrail(id))) throw runExists(id);
  const folder = runFolder(context, id);
  const lease = await leasesOf(context).take(id, 1);
  if (lease === undefined) throw runExists(id);
  try {
    const now = context.now();
    const { name, file, steps: definition } = workflow;
    const { request, metadata, jobs = workflow.jobs } = options;
    const git_head = readGitHead(context.root)?.head ?? undefined;
    const run: Run = {
      ...newRun({ id, workflow: name, definition, inputs: inputs.plain, now }),
      runner: { pid: context.pid, host: context.host, since: now.toISOString() },
      ...recordedInputs(inputs, given),
      ...defined({ file, request, jobs, git_head, metadata }),
    };
    const journal = new RunJournal(context, trail, { epoch: 1 });
    const surroundings = surroundingsOf(context, run, inputs.secret);
    const engine = localEngine(surroundings, workflow.functions);
    return await new Runner({ context: surroundings, journal, engine, folder }, options).start(run);
  } finally {
    await lease.release();
  }
}
