import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { secretDefaults } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import { isMet, isPinned, stateOf, type Run } from "../run/run-state.ts";
import { cleanerFor } from "../runner/clean-text.ts";
import { examineFork, forkRun, type ForkOptions } from "../runner/fork-run.ts";
import { workflowOf } from "../runner/examine-run.ts";
import { refusedBy } from "../runner/refused-by.ts";
import { refuseOver, resumeRun } from "../runner/resume-run.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { refusePulled } from "../../../work/project/trust.ts";
import { type CommittedWorkflow, elsewhereOf, type RunsElsewhere } from "../elsewhere.ts";
import { type RunTrust, trustFork } from "../verbs/run-trust.ts";
import { newRunText } from "./plan.ts";
import { confirmTrust } from "./confirm-trust.ts";
import { type GivenInputs, withSecrets } from "./inputs.ts";
import { watchRun } from "./watch-run.ts";

export interface ContinueOptions {
  readonly given: GivenInputs;
  /** The definition, where it has been loaded already. */
  readonly workflow?: Workflow | undefined;
  readonly fork?: ForkOptions | undefined;
  /** The commit that a run of workers is moved to. */
  readonly to?: CommittedWorkflow | undefined;
  readonly jobs?: number | undefined;
  /** Whether the user named this run. If not, a run that keeps crashing is paused after a while. */
  readonly isMeant: boolean;
  readonly trust: boolean;
  readonly takeOver: boolean;
  readonly acceptChanges?: boolean;
  readonly killOrphans?: boolean;
  /** Whether Ctrl-C pauses a run of workers. */
  readonly pause?: boolean;
}

/** Goes on with a run that is there, or with a fork of it, and stays with it to its end. */
export async function continueRun(
  context: Context,
  workflows: WorkflowContext,
  run: Run,
  options: ContinueOptions,
  output: Output,
): Promise<number> {
  if (options.fork === undefined) refuseOver(run);
  const isOpen = options.fork !== undefined || run.status !== "completed";
  if (isOpen && options.fork === undefined)
    await refusePulled(workflows, run.id, { takeOver: options.takeOver });
  // A worker decides for itself what it trusts.
  const trust =
    isOpen && run.runs_on !== "workers"
      ? await confirmTrust(context, workflows, { run, trust: options.trust, fork: options.fork }, output)
      : NOTHING_RUNS;
  // Workers have secrets in their own environment.
  const names = isOpen && run.runs_on !== "workers" ? run.secret_inputs : [];
  // The live view and the defaults of secrets need the definition.
  const current = isOpen ? () => workflowOf(workflows, run, { mayLoadPrograms: true }) : () => undefined;
  const edited = isPinned(run) ? undefined : (trust.workflow ?? options.workflow);
  const workflow = options.to?.workflow ?? edited ?? (await current());
  // Check everything before forking: a fork that cannot go on would only be in the way.
  if (options.fork) await checkFork(workflows, run, { ...options, workflow }, options.fork);
  const defaults = secretDefaults(run.secret_defaults, workflow);
  const required = names.filter((name) => defaults[name] === undefined);
  const asked = await withSecrets(context, { given: options.given, names, required }, output);
  const inputs = { ...defaults, ...asked };
  const target =
    options.fork === undefined ? run : await fork(workflows, { run, trust }, options.fork, output);
  const definition = workflow?.steps ?? target.definition;
  const done = definition.filter((step) => isMet(step, stateOf(target, step.id))).map(({ id }) => id);
  if (!isOpen) output.message(`Run "${oneLine(target.id)}" was completed already.`);
  const secrets = Object.fromEntries(names.map((name) => [name, inputs[name]!]));
  const steps = { steps: definition, done: new Set(done), mask: cleanerFor(secrets).mask };
  // Failures are retried even without a terminal: only crashes count.
  const isExplicit = options.isMeant || context.isInteractive || !isCrashing(target);
  const { jobs, takeOver, acceptChanges = false, killOrphans = false, pause = false } = options;
  const onResumeCheck = (verdict: ResumeVerdict) => warn(verdict, output);
  const common = { workflow, isExplicit, jobs, acceptChanges, onResumeCheck };
  if (target.runs_on === "workers") {
    const workers = await workersOf(context, target);
    return watchRun({ context, workflows, output, leaves: !pause }, steps, (watched) =>
      workers.resume(workflows, target.id, {
        ...watched,
        ...common,
        commit: options.to?.commit,
        pausesOnSignal: pause,
      }),
    );
  }
  return watchRun({ context, workflows, output }, steps, (watched) =>
    resumeRun(workflows, target.id, { ...watched, ...common, inputs, takeOver, killOrphans }),
  );
}

/** What drives a run of workers. */
export async function workersOf({ project }: Context, { id, runs_on }: Run): Promise<RunsElsewhere> {
  if (runs_on !== "workers")
    throw new CheckpointError(
      "usage",
      `Run "${id}" is not done by workers: it uses the files as they are now.`,
      { hint: `Without --to: checkpoint resume ${id}`, details: { run: id } },
    );
  const workers = await elsewhereOf(project);
  if (workers !== undefined) return workers;
  throw new CheckpointError("refused", `The steps of run "${id}" are done by workers of a shared store.`, {
    hint: "Choose that store: CHECKPOINT_STORE=postgres://…",
    details: { run: id },
  });
}

const NOTHING_RUNS: RunTrust = { isOwn: false, isTrusted: true };

const isCrashing = ({ status, crashes }: Run) => status === "running" || crashes > 0;

async function checkFork(
  workflows: WorkflowContext,
  { id }: Run,
  { workflow, acceptChanges = false }: ContinueOptions,
  options: ForkOptions,
): Promise<void> {
  const { verdict } = await examineFork(workflows, id, options, { workflow, acceptChanges });
  if (verdict.verdict === "re-plan") throw refusedBy(verdict, id);
}

async function fork(
  workflows: WorkflowContext,
  { run, trust }: { readonly run: Run; readonly trust: RunTrust },
  options: ForkOptions,
  output: Output,
): Promise<Run> {
  const { run: forked, origin } = await forkRun(workflows, run.id, options);
  await trustFork(workflows, forked, trust);
  output.message(newRunText(`is a new run, ${oneLine(forked.id)}`, oneLine(run.id), origin));
  return forked;
}

/** Blockers are in the error that follows. */
function warn({ findings }: ResumeVerdict, output: Output): void {
  for (const { severity, message, remedy } of findings)
    if (severity === "warning") output.warning(`${oneLine(message)}\n  ${oneLine(remedy)}`);
}
