import { CheckpointError } from "../../../core/errors.ts";
import { checkInputs } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import { cleanerFor } from "../runner/clean-text.ts";
import { checkRunId, newRunId } from "../runner/run-id.ts";
import { type StartOptions, startRun } from "../runner/start-run.ts";
import { trustNewRun } from "../../../work/project/trust.ts";
import { archiveRun } from "../runner/archive.ts";
import { elsewhereOf, type RunsElsewhere } from "../elsewhere.ts";
import type { WorkflowCommand, WorkflowOptions } from "../verbs.ts";
import { startWorkspace } from "../../../work/capture/git/git-workspace.ts";
import type { Project } from "../../../work/project/project.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { chooseWorkflow } from "../verbs/choose-workflow.ts";
import { mayLoadForPlan } from "../terminal/confirm-loading.ts";
import { continueRun } from "../terminal/continue.ts";
import { findEarlierRun } from "../verbs/earlier-run.ts";
import { chooseAboutEarlier } from "../terminal/earlier-run.ts";
import { freshPlan } from "../verbs/run-plan.ts";
import { planText } from "../terminal/plan.ts";
import { checkTyped, type GivenInputs, givenInputs, secretsOf, withSecrets } from "../terminal/inputs.ts";
import { showPlan } from "../terminal/show-plan.ts";
import { watchRun, type Watching } from "../terminal/watch-run.ts";
import { openRuns } from "../verbs/open-runs.ts";
import { outcomeOf } from "../verbs/run-outcome.ts";

export const run: WorkflowCommand<"run"> = async (context, options, output) => {
  if (options.resume && options.fresh) throw resumeAndFresh();
  if (options.detach) refuseDetached(context.project, options);
  if (options.runId !== undefined) checkRunId(options.runId);
  const project = context.project;
  const load = { ...options, command: `checkpoint run ${shellWord(options.file ?? "")}` };
  if (!(await mayLoadForPlan(context, load, output))) return 0;
  const chosen = await chooseWorkflow(project, { ...options, cwd: context.cwd });
  const { workflow } = chosen;
  const given = givenInputs(options.input);
  const words = [chosen.words, ...inputWords(workflow, given)].join(" ");
  const existing = hasStore(project) ? await openRuns(project, options.dryRun ? "read" : "write") : undefined;
  // What is handed in stands for itself: no person is there to be asked about another run.
  const earlier = existing && !options.detach ? await findEarlierRun(existing, workflow, options) : undefined;
  const choice = await chooseAboutEarlier(context, { ...options, earlier, given, workflow, words }, output);
  if (existing && earlier && choice === "resume") {
    const fork = options.resumeStep === undefined ? undefined : { after: options.resumeStep };
    if (options.dryRun) return showPlan(existing, earlier.run, { fork }, output);
    chosen.prepare();
    const isMeant = options.resume || fork !== undefined;
    return continueRun(
      context,
      existing,
      earlier.run,
      { ...options, given, workflow, fork, isMeant },
      output,
    );
  }
  // Report every mistake in what was typed before creating anything.
  const plain = checkTyped(workflow, given);
  if (options.dryRun) {
    const plan = freshPlan(workflow, plain, context.now());
    output.result({ run: null, plan }, () => planText(plan, workflow.steps, output));
    return 0;
  }
  const isForWorkers = project.shared !== undefined && !options.local;
  const uncommitted = isForWorkers ? await uncommittedFile(project, workflow) : undefined;
  if (uncommitted !== undefined)
    output.warning(
      `"${oneLine(uncommitted)}" is not committed as it is. Workers read the committed one, and leave steps that differ from it.\n  To run the steps here: --local`,
    );
  // Workers have the secrets in their own environment.
  const inputs = isForWorkers ? given : await withSecrets(context, { given, ...secretsOf(workflow) }, output);
  const workflows = existing ?? (await openRuns(project, "create"));
  if (earlier && choice === "archive") {
    const { archived_as } = await archiveRun(workflows, earlier.run.id);
    output.message(`Archived ${earlier.run.id} as ${archived_as}.`);
  }
  chosen.prepare();
  // An archived run keeps its name.
  const typedId = options.runId === earlier?.run.id ? undefined : options.runId;
  const runId = typedId ?? newRunId(workflow.name, context.now());
  if (options.detach)
    return handIn(
      workflow,
      { inputs, runId, jobs: options.jobs, priority: options.priority },
      { context, workflows, output },
    );
  await trustNewRun(workflows, runId);
  const start = { inputs, runId, jobs: options.jobs, priority: options.priority };
  const workers = options.local ? undefined : await elsewhereOf(project);
  if (workers === undefined) return startHere(workflow, start, { context, workflows, output });
  return startThere(workflow, start, { context, workflows, output, workers, leaves: !options.pause });
};

type Detached = Pick<WorkflowOptions<"run">, "local" | "pause" | "dryRun">;
type NewRunOptions = Required<Pick<StartOptions, "inputs" | "runId">> &
  Pick<StartOptions, "jobs" | "priority">;

/** Starts a new run, and stays with it to its end. */
async function startHere(workflow: Workflow, start: NewRunOptions, place: Watching): Promise<number> {
  const { mask } = cleanerFor(checkInputs(workflow, start.inputs).secret);
  return watchRun(place, { steps: workflow.steps, done: new Set(), mask }, (watched) =>
    startRun(place.workflows, workflow, { ...watched, ...start }),
  );
}

/** Starts a new run whose steps are done by workers, and watches it. */
async function startThere(
  workflow: Workflow,
  start: NewRunOptions,
  place: Watching & { readonly workers: RunsElsewhere },
): Promise<number> {
  const steps = { steps: workflow.steps, done: new Set<string>(), mask: (text: string) => text };
  return watchRun(place, steps, (watched) =>
    place.workers.start(place.workflows, workflow, {
      ...watched,
      ...start,
      pausesOnSignal: !place.leaves,
    }),
  );
}

/** Hands a new run to workers, and leaves. */
async function handIn(
  workflow: Workflow,
  start: NewRunOptions,
  { context, workflows, output }: Watching,
): Promise<number> {
  const workers = (await elsewhereOf(context.project))!;
  const { run, isNew } = await workers.submit(workflows, workflow, start);
  if (isNew) await trustNewRun(workflows, run.id);
  else output.message(`Run "${oneLine(run.id)}" was handed in before: nothing new was started.`);
  output.result({ run: outcomeOf(workflows, run), plan: null }, () =>
    [run.id, output.style.dim(`To follow it: checkpoint runs watch ${run.id}`)].join("\n"),
  );
  return 0;
}

function refuseDetached({ shared }: Project, { local, pause, dryRun }: Detached): void {
  if (local || pause || dryRun)
    throw new CheckpointError("usage", "--detach cannot be combined with --local, --pause or --dry-run.", {
      hint: "checkpoint run --help",
    });
  if (shared === undefined)
    throw new CheckpointError("usage", "--detach needs workers, and those need a shared store.", {
      hint: "Set CHECKPOINT_STORE to postgres://user@host/database?schema=NAME, or leave --detach out.",
    });
}

/** The file of a workflow, if git says that it is not committed as it is: workers read the committed one. */
async function uncommittedFile({ root, env }: Project, { file }: Workflow): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const { files_touched } = await startWorkspace({ root, env }).finish();
  return files_touched.includes(file) ? file : undefined;
}

/** The inputs as they were typed, without secrets, for a command that is suggested. */
function inputWords({ inputs }: Workflow, given: GivenInputs): string[] {
  return Object.entries(given)
    .filter(([key]) => !inputs[key]?.secret)
    .map(([key, value]) => `--input ${shellWord(`${key}=${value}`)}`);
}

function resumeAndFresh(): CheckpointError {
  return new CheckpointError("usage", "--resume and --fresh cannot be combined.", {
    hint: "checkpoint run --help",
  });
}
