import { readRun } from "../runner/examine-run.ts";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findStored } from "../../../core/trails/find-checkpoint.ts";
import { findTagged } from "../../../core/trails/tags.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { visible } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import { isStale } from "../run/resume-check.ts";
import type { Run } from "../run/run-state.ts";
import { isOver, RUN_TRAIL_PREFIX } from "../../../work/state/run-trail.ts";
import { parseProgress } from "../../../work/progress/parse-progress.ts";
import { noteCommand } from "../../../work/progress/progress.ts";
import { archiveRun } from "../runner/archive.ts";
import { bindWorkflow, bound } from "../runner/bind-workflow.ts";
import { findRunId } from "../runner/find-run-id.ts";
import type { ForkOptions } from "../runner/fork-run.ts";
import type { WorkflowCommand, WorkflowOptions } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import { hasStore } from "../../../work/project/find-project.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { summary } from "../../../work/project/reading/summary.ts";
import { askAboutStale, wantsFresh } from "../terminal/ask-about-stale.ts";
import { mayLoadForPlan } from "../terminal/confirm-loading.ts";
import { continueRun, workersOf } from "../terminal/continue.ts";
import { type GivenInputs, givenInputs, secretsOf, withSecrets } from "../terminal/inputs.ts";
import { resumeFailed } from "../terminal/resume-failed.ts";
import { showPlan } from "../terminal/show-plan.ts";
import { type Unfinished, unfinished } from "../../../work/project/reading/unfinished.ts";
import { pickUnfinished, unfinishedText } from "../terminal/pick-unfinished.ts";
import { chooseWorkflow } from "../verbs/choose-workflow.ts";
import { openRuns } from "../verbs/open-runs.ts";

type ResumeCommandOptions = WorkflowOptions<"resume">;

export const resume: WorkflowCommand<"resume"> = async (context, options, output) => {
  const fork = forkOptions(options);
  const project = context.project;
  const isNamed = options.run !== undefined || options.from !== undefined;
  const intention = options.list || options.dryRun ? "read" : "write";
  const workflows = isNamed || hasStore(project) ? await openRuns(project, intention) : undefined;
  if (workflows && isNamed) {
    const name = options.run ?? (await runOfCheckpoint(workflows, options.from!));
    return goOn(context, workflows, name, { ...options, fork }, output);
  }
  if (fork !== undefined) throw needsRun();
  if (options.failed) return resumeFailed(context, await openRuns(project, intention), options, output);
  const list = await unfinished(project);
  if (list.length === 0) output.message("Nothing is unfinished.");
  if (options.list || list.length === 0) {
    const text = () => unfinishedText(list, output, context.now());
    output.result({ run: null, plan: null, unfinished: list }, text);
    return 0;
  }
  const isSure = options.yes || options.dryRun;
  const picked = await pickUnfinished(context, list, { isSure }, output);
  if (picked === undefined) return 0;
  if (workflows === undefined || picked.kind !== "run") return briefOn(context, picked, output);
  return goOn(context, workflows, picked.name, { ...options, fork }, output);
};

interface RunToContinue extends ResumeCommandOptions {
  readonly fork: ForkOptions | undefined;
}

async function goOn(
  context: Context,
  workflows: WorkflowContext,
  name: string,
  options: RunToContinue,
  output: Output,
): Promise<number> {
  const { workflow: file, ...others } = options;
  const found = await readRun(workflows, await findRunId(workflows, name), options.from);
  if (!(await mayLoadForPlan(context, programOf(name, found, options), output))) return 0;
  const typed = givenInputs(options.input);
  const { run, given } =
    file === undefined
      ? { run: found, given: typed }
      : await withWorkflow(context, workflows, { run: found, file, typed, dryRun: options.dryRun }, output);
  const to =
    options.to === undefined
      ? undefined
      : await (await workersOf(context, run)).workflowAtCommit(workflows, run, options.to);
  if (options.dryRun) {
    const moved = to === undefined ? run : { ...run, git_head: to.commit };
    return showPlan(workflows, moved, { fork: options.fork, workflow: to?.workflow }, output);
  }
  if (!options.acceptChanges && !isOver(run.status) && (await wantsFresh(context, run, output)))
    return archiveStale(workflows, run, output);
  if (isStale(run, context.now()) && options.fork === undefined && !isOver(run.status) && !options.yes) {
    const answer = await askAboutStale(context, run, output);
    if (answer === "archive") return archiveStale(workflows, run, output);
    if (answer === "leave") return 0;
  }
  const isMeant = options.run !== undefined || options.fork !== undefined;
  return continueRun(context, workflows, run, { ...others, to, given, isMeant }, output);
}

/** The file that planning would load: the one that is named, or that of the commit that is named. */
function programOf(name: string, run: Run, { workflow, to, dryRun, yes }: RunToContinue) {
  const command = `checkpoint resume ${name}`;
  return to === undefined
    ? { file: workflow, dryRun, yes, command: `${command} --workflow ${shellWord(workflow ?? "")}` }
    : { file: run.file, dryRun, yes, commit: to, command: `${command} --to ${shellWord(to)}` };
}

interface BindRequest {
  readonly run: Run;
  readonly file: string;
  readonly typed: GivenInputs;
  readonly dryRun: boolean;
}

/** An imported pipeline with the steps of a workflow. Saved, unless only the plan is asked for. */
async function withWorkflow(
  context: Context,
  workflows: WorkflowContext,
  { run, file, typed, dryRun }: BindRequest,
  output: Output,
) {
  const { workflow } = await chooseWorkflow(context.project, { cwd: context.cwd, file });
  const { names, required } = secretsOf(workflow);
  if (dryRun) {
    const unasked = Object.fromEntries(required.map((secret) => [secret, ""]));
    return { run: bound(run, { workflow, inputs: { ...unasked, ...typed } }), given: typed };
  }
  const given = await withSecrets(context, { given: typed, names, required }, output);
  return { run: await bindWorkflow(workflows, run.id, { workflow, inputs: given }), given };
}

async function archiveStale(workflows: WorkflowContext, { id }: Run, output: Output): Promise<number> {
  const { archived_as } = await archiveRun(workflows, id);
  output.message(`Archived ${id} as ${archived_as}. To start afresh: checkpoint run FILE`);
  return 0;
}

/** Work without a runner is resumed by reading where it stands. */
async function briefOn(context: Context, item: Unfinished, output: Output): Promise<number> {
  const document = { run: null, plan: null, unfinished: [item] };
  if (item.kind === "progress") {
    const text = readFileSync(join(context.project.root, item.name), "utf8");
    output.result(document, () => visible(text).trimEnd());
    output.message(`To continue: ${noteCommand(parseProgress(text, item.name))}`);
  } else if (output.json) output.result(document, "");
  else output.result(document, (await summary(context.project, { trail: item.name })).text.trimEnd());
  return 0;
}

function forkOptions({ resumeStep, redo, from }: ResumeCommandOptions): ForkOptions | undefined {
  if (resumeStep !== undefined && redo !== undefined) {
    throw new CheckpointError("usage", "--resume-step and --redo cannot be combined.", {
      hint: "--resume-step continues after a step, --redo repeats the step itself.",
    });
  }
  if (resumeStep === undefined && redo === undefined && from === undefined) return undefined;
  return { after: resumeStep, redo, from };
}

/** The run that a checkpoint belongs to, where only the checkpoint was named. */
async function runOfCheckpoint(workflows: WorkflowContext, id: string): Promise<string> {
  const { store } = workflows.cairn;
  const { trail } = await findStored(store, (await findTagged(store, id)) ?? id);
  if (trail.startsWith(RUN_TRAIL_PREFIX)) return trail;
  throw new CheckpointError("usage", `Checkpoint "${id}" belongs to trail "${trail}", which is not a run.`, {
    hint: `To continue that work: checkpoint restore ${id}`,
    details: { id, trail },
  });
}

function needsRun(): CheckpointError {
  return new CheckpointError("usage", "--resume-step and --redo need the name of a run.", {
    hint: "checkpoint runs",
  });
}
