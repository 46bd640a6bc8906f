import { readGitHead } from "../../capture/git/git-head.ts";
import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { Json } from "../../objects/json.ts";
import { checkInputs, type Inputs } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { localEngine } from "../engine/local-engine.ts";
import { advance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { progressOf } from "../run/progress.ts";
import type { Run } from "../run/run-state.ts";
import { runTrail } from "../run/run-state.ts";
import { afterwards } from "./afterwards.ts";
import { cleanerFor } from "./clean-text.ts";
import { openRunTrail, RunJournal } from "./run-journal.ts";
import { tryLock } from "./run-lock.ts";
import { newRunId } from "./run-id.ts";
import { runFolder, workflowFolder } from "./run-folder.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export interface StartOptions extends Omit<RunnerOptions, "engine"> {
  readonly inputs?: Readonly<Record<string, string>>;
  /** A name of one's own; else one is made of the workflow's name and the time. */
  readonly runId?: string;
  /** How many steps may run at the same time: 4 unless the workflow says otherwise. */
  readonly jobs?: number | undefined;
  /** The words that the work was asked for with. */
  readonly request?: string | undefined;
  readonly metadata?: Json;
}

const DEFAULT_JOBS = 4;

/**
 * Runs a workflow to its end, or until a person has to decide. Every step boundary is durable before anything
 * follows from it. The status of the run that is returned says how it ended.
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
  const inputs = checkInputs(workflow, options.inputs ?? {});
  const id = options.runId ?? newRunId(workflow.name, context.now());
  const trail = openRunTrail(context, id);
  if (await context.cairn.store.head(runTrail(id))) throw runExists(id);
  const lock = tryLock(runFolder(context, id), 1);
  if (lock === undefined) throw runExists(id);
  try {
    const isDefault = (name: string) => options.inputs?.[name] === undefined;
    const secretDefaults = Object.keys(inputs.secret).filter(isDefault);
    const run = newRun(context, workflow, { ...options, id, inputs, secretDefaults });
    const plan = advance(run, { now: context.now(), digestOf: registeredDigest });
    const journal = new RunJournal(context, trail, { epoch: 1 });
    await begin(journal, plan.run, id);
    const { total } = progressOf(run);
    options.onEvent?.({
      type: "run-started",
      run: id,
      workflow: workflow.name,
      epoch: 1,
      completed: 0,
      total,
    });
    const cleaner = cleanerFor(inputs.secret);
    const engine = localEngine({
      ...context,
      ...cleaner,
      secrets: inputs.secret,
      functions: workflow.functions,
      workflowFolder: workflowFolder(context, run),
    });
    const runner = new Runner(context, journal, { ...options, engine });
    runner.announce(run);
    await runner.launch(plan.starts);
    const ended = await runner.drive();
    await afterwards(context, ended);
    return ended;
  } finally {
    lock.release();
  }
}

async function begin(journal: RunJournal, run: Run, id: string): Promise<void> {
  try {
    await journal.begin(run, `${run.workflow}: started`);
  } catch (error) {
    throw isCheckpointError(error, "conflict") ? runExists(id) : error;
  }
}

interface NewRun extends Pick<StartOptions, "jobs" | "request" | "metadata"> {
  readonly id: string;
  readonly inputs: Inputs;
  readonly secretDefaults: readonly string[];
}

function newRun(
  context: WorkflowContext,
  workflow: Workflow,
  { id, inputs, secretDefaults, jobs, request, metadata }: NewRun,
): Run {
  const at = context.now().toISOString();
  const git = readGitHead(context.root)?.head;
  return {
    id,
    workflow: workflow.name,
    ...(workflow.file !== undefined && { file: workflow.file }),
    ...(request !== undefined && { request }),
    status: "pending",
    epoch: 1,
    runner: { pid: context.pid, host: context.host, since: at },
    created_at: at,
    updated_at: at,
    inputs: inputs.plain,
    secret_inputs: Object.keys(inputs.secret),
    ...(secretDefaults.length > 0 && { secret_defaults: secretDefaults }),
    jobs: jobs ?? workflow.jobs ?? DEFAULT_JOBS,
    definition: workflow.steps,
    steps: [],
    artifacts: {},
    crashes: 0,
    ...(git && { git_head: git }),
    ...(metadata !== undefined && { metadata }),
  };
}

function runExists(id: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a run "${id}".`, {
    hint: `checkpoint resume ${id}`,
    details: { run: id },
  });
}
