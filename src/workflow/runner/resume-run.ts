import { CheckpointError } from "../../errors.ts";
import { secretDefaults } from "../definition/inputs.ts";
import type { Workflow } from "../definition/types.ts";
import type { WorkflowContext } from "../context.ts";
import { localEngine } from "../engine/local-engine.ts";
import { outdatedApprovals } from "../run/approval.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import { progressOf } from "../run/progress.ts";
import { askAgain, reopen, type Takeover } from "../run/reopen.ts";
import { isOver, stateOf, type Run } from "../run/run-state.ts";
import { afterwards } from "./afterwards.ts";
import { cleanerFor } from "./clean-text.ts";
import { examineRun, type Examined } from "./examine-run.ts";
import { endDropped, recoverAttempts } from "./recover-attempts.ts";
import { refusedBy } from "./refused-by.ts";
import { RunJournal } from "./run-journal.ts";
import { tryLock, type RunLock } from "./run-lock.ts";
import { runFolder, workflowFolder } from "./run-folder.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export interface ResumeOptions extends Omit<RunnerOptions, "engine"> {
  /** The definition as it is now; without it, the file is read again, and failing that the stored one is used. */
  readonly workflow?: Workflow | undefined;
  /** Values of secret inputs, which are never stored. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Whether a person asked for this very run: counts of failures and crashes then begin anew. True unless given. */
  readonly isExplicit?: boolean;
  /** Also from a runner that still holds the run: it is frozen, or out of reach. */
  readonly takeOver?: boolean;
  /** A person vouches for changed artifacts: they are registered as they are now. */
  readonly acceptChanges?: boolean;
  /** Ends commands that still run, instead of waiting for them. */
  readonly killOrphans?: boolean;
  /** Whether this store is known to be the user's own. True unless given. */
  readonly isTrusted?: boolean;
  readonly jobs?: number | undefined;
  /** Told what the resume check found, before anything starts. */
  readonly onResumeCheck?: (verdict: ResumeVerdict) => void;
}

/**
 * Goes on with a run where it stopped: what is done is kept, what was under way is adopted, re-attached or run
 * again, questions are asked again. A run that is complete is returned as it is. Rejects when the resume check says no.
 */
export async function resumeRun(
  context: WorkflowContext,
  id: string,
  options: ResumeOptions = {},
): Promise<Run> {
  const examined = await examineRun(context, id, { ...options, mayLoadPrograms: true });
  if (examined.run.status === "completed") return examined.run;
  if (isOver(examined.run.status)) throw isOverAlready(examined.run);
  options.onResumeCheck?.(examined.verdict);
  if (examined.verdict.verdict === "re-plan") throw refusedBy(examined.verdict, id);
  checkFunctions(examined);
  const secrets = secretsOf(examined, options.inputs ?? {});
  const locks = takeLocks(context, examined.run, options.takeOver === true);
  try {
    return await goOn(context, examined, { ...options, secrets });
  } finally {
    for (const lock of locks) lock.release();
  }
}

interface GoOn extends ResumeOptions {
  readonly secrets: Readonly<Record<string, string>>;
}

async function goOn(context: WorkflowContext, examined: Examined, options: GoOn): Promise<Run> {
  const { id } = examined.run;
  const { trail } = examined;
  const isNewest = (await context.cairn.store.head(trail.name)) === examined.head.content_hash;
  const head = isNewest ? examined.head : await trail.load();
  if (head.state.run.epoch !== examined.run.epoch) throw movedOn(id);
  const epoch = examined.run.epoch + 1;
  const takeover = takeoverOf(context, examined, options, epoch);
  const journal = new RunJournal(context, trail, { epoch, head });
  const engine = localEngine({
    ...context,
    ...cleanerFor(options.secrets),
    secrets: options.secrets,
    functions: examined.workflow?.functions ?? new Map(),
    workflowFolder: workflowFolder(context, head.state.run),
  });
  const runner = new Runner(context, journal, { ...options, engine });
  const underWay = head.state.run.definition.filter(
    (step) => stateOf(head.state.run, step.id).status === "running",
  );
  let prepare = (run: Run) => {
    const accepted = options.acceptChanges ? acceptFiles(run, examined.current) : run;
    return askAgain(reopen(accepted, takeover), outdatedApprovals(accepted, examined.current));
  };
  if (underWay.length > 0 || options.takeOver) {
    // First the run is ours, then its attempts are looked at: a frozen runner that wakes must not start them meanwhile.
    const own = prepare;
    await journal.commit(own, () => ({
      trigger: "run",
      notes: `${head.state.run.workflow}: taken over, epoch ${epoch}`,
    }));
    prepare = (run) => run;
    if (journal.run.status === "paused") return stopPaused(context, runner);
    const recovery = {
      ...context,
      ...cleanerFor(options.secrets),
      secrets: options.secrets,
      runFolder: runFolder(context, id),
      workflowFolder: workflowFolder(context, journal.run),
      killOrphans: options.killOrphans === true,
    };
    await endDropped(journal.run, underWay, recovery);
    const recovered = await recoverAttempts(journal.run, recovery);
    runner.learn(recovered.outcomes);
    announceResume(options, journal.run);
    for (const { step, attempt, identity } of recovered.alive) runner.reattach(step, attempt, identity);
  } else
    announceResume(options, {
      ...head.state.run,
      epoch,
      definition: takeover.definition?.steps ?? head.state.run.definition,
    });
  const ended = await runner.drive(prepare);
  await afterwards(context, ended);
  return ended;
}

function acceptFiles(run: Run, current: Examined["current"]): Run {
  const artifacts = Object.values(run.artifacts).map((artifact) => ({
    ...artifact,
    sha256: current.get(artifact.path) ?? artifact.sha256,
  }));
  return { ...run, artifacts: Object.fromEntries(artifacts.map((artifact) => [artifact.path, artifact])) };
}

async function stopPaused(context: WorkflowContext, runner: Runner): Promise<Run> {
  const run = await runner.end();
  await afterwards(context, run);
  return run;
}

function announceResume({ onEvent }: ResumeOptions, run: Run): void {
  const { completed, total } = progressOf(run);
  onEvent?.({ type: "run-resumed", run: run.id, workflow: run.workflow, epoch: run.epoch, completed, total });
}

function takeoverOf(
  context: WorkflowContext,
  { workflow }: Examined,
  options: GoOn,
  epoch: number,
): Takeover {
  const runner = { pid: context.pid, host: context.host, since: context.now().toISOString() };
  return { epoch, runner, isExplicit: options.isExplicit ?? true, definition: workflow, jobs: options.jobs };
}

/** The lock of the former epoch proves that its runner is gone; the one of the new epoch is ours from now on. */
function takeLocks(context: WorkflowContext, run: Run, takeOver: boolean): RunLock[] {
  const folder = runFolder(context, run.id);
  const former = takeOver ? undefined : tryLock(folder, run.epoch);
  if (former === undefined && !takeOver) throw isHeld(run);
  const own = tryLock(folder, run.epoch + 1);
  if (own !== undefined) return former === undefined ? [own] : [own, former];
  former?.release();
  throw isHeld(run);
}

function secretsOf(
  { run, workflow }: Examined,
  given: Readonly<Record<string, string>>,
): Record<string, string> {
  const inputs = { ...secretDefaults(run.secret_defaults, workflow), ...given };
  const missing = run.secret_inputs.filter((name) => inputs[name] === undefined);
  if (missing.length > 0) {
    throw new CheckpointError(
      "usage",
      `Run "${run.id}" needs its secret inputs again: ${missing.join(", ")}.`,
      { hint: missing.map((name) => `--input ${name}=…`).join(" "), details: { run: run.id, missing } },
    );
  }
  return Object.fromEntries(run.secret_inputs.map((name) => [name, inputs[name]!]));
}

/** The code of steps in TypeScript is not stored: whoever resumes must bring it. */
function checkFunctions({ run, workflow }: Examined): void {
  const steps = workflow?.steps ?? run.definition;
  const isOpen = (id: string) => !["completed", "skipped"].includes(stateOf(run, id).status);
  const missing = steps.filter(
    ({ kind, id }) => kind === "function" && isOpen(id) && !workflow?.functions.has(id),
  );
  if (missing.length === 0) return;
  throw new CheckpointError(
    "usage",
    `Run "${run.id}" has steps in TypeScript, such as "${missing[0]!.id}", and their code is not here.`,
    { hint: "Resume it from its program: resume(run, { workflow })", details: { run: run.id } },
  );
}

function isHeld({ id, runner }: Run): CheckpointError {
  const who = runner === undefined ? "Another process" : `Process ${runner.pid} on ${runner.host}`;
  return new CheckpointError("conflict", `${who} is moving run "${id}".`, {
    hint: `Let it finish, or if it hangs: checkpoint resume ${id} --take-over`,
    details: { run: id },
  });
}

function movedOn(id: string): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" was taken over by somebody else at this very moment.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id },
  });
}

function isOverAlready({ id, status, workflow }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is ${status}: it cannot go on.`, {
    hint: `Start a new one of "${workflow}", or fork this one: checkpoint resume ${id} --resume-step 0`,
    details: { run: id, status },
  });
}
