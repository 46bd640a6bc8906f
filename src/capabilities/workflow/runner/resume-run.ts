import { CheckpointError } from "../../../core/errors.ts";
import { secretDefaults } from "../definition/inputs.ts";
import type { RunLease, WorkflowContext } from "../context.ts";
import { outdatedApprovals } from "../run/approval.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import { askAgain, reopen, type Takeover } from "../run/reopen.ts";
import { isDone, isUnbound, stepOf, stepsWith, type Run } from "../run/run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { bindWorkflow } from "./bind-workflow.ts";
import { examineRun, type ExaminedRun, type ExamineOptions } from "./examine-run.ts";
import { endOrphans, recoverAttempts, type RecoveryOptions } from "./recover-attempts.ts";
import { refusedBy } from "./refused-by.ts";
import { settleOrigin } from "./settle-origin.ts";
import { loadHead, RunJournal } from "./run-journal.ts";
import { leasesOf } from "./run-lease.ts";
import { learnSecrets } from "./step-permits.ts";
import { surroundingsOf } from "./run-folder.ts";
import { Runner, type RunnerOptions } from "./runner.ts";

export interface ResumeOptions
  extends
    RunnerOptions,
    RecoveryOptions,
    Pick<ExamineOptions, "workflow" | "takeOver" | "isTrusted" | "acceptChanges"> {
  /** Values of secret inputs, which are never stored. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** Whether a person asked for this run: failures and crashes are then counted from zero again. True unless given. */
  readonly isExplicit?: boolean;
  readonly jobs?: number | undefined;
  /** Called with the result of the resume check, before anything starts. */
  readonly onResumeCheck?: (verdict: ResumeVerdict) => void;
}

/**
 * Resumes a run where it stopped: what is done is kept, what was running is adopted, re-attached or run again, and
 * open questions are asked again. A completed run is returned as it is. Rejects if the resume check finds a blocker.
 */
export async function resumeRun(
  context: WorkflowContext,
  id: string,
  options: ResumeOptions = {},
): Promise<Run> {
  const { workflow, inputs = {} } = options;
  const examine = () => examineRun(context, id, { ...options, mayLoadPrograms: true });
  let examined = await examine();
  if (workflow !== undefined && isUnbound(examined.run)) {
    await bindWorkflow(context, id, { workflow, inputs });
    examined = await examine();
  }
  if (examined.run.status === "completed") return examined.run;
  assertResumable(examined, options);
  checkFunctions(examined);
  const secrets = secretsOf(examined, inputs);
  const leases = await takeLeases(context, examined.run, options.takeOver === true);
  try {
    return await resumeExamined(context, examined, { ...options, secrets });
  } finally {
    for (const lease of leases) await lease.release();
  }
}

async function resumeExamined(
  context: WorkflowContext,
  examined: ExaminedRun,
  { secrets, ...options }: ResumeOptions & { readonly secrets: Readonly<Record<string, string>> },
): Promise<Run> {
  const { trail } = examined;
  // The fork may have been made by a process that died before it could do this.
  if (examined.run.epoch === 1) await settleOrigin(context, examined.run);
  const isNewest = (await context.cairn.store.head(trail.name)) === examined.head.content_hash;
  const head = isNewest ? examined.head : await loadHead(trail);
  const before = head.state.run;
  if (before.epoch !== examined.run.epoch) throw movedOn(before.id);
  const takeover: Takeover = {
    epoch: before.epoch + 1,
    runner: { pid: context.pid, host: context.host, since: context.now().toISOString() },
    isExplicit: options.isExplicit ?? true,
    definition: examined.workflow,
    jobs: options.jobs,
  };
  const { epoch } = takeover;
  const reopened = (run: Run) => {
    const accepted = options.acceptChanges ? acceptFiles(run, examined.current) : run;
    return askAgain(reopen(accepted, takeover), outdatedApprovals(accepted, examined.current));
  };
  const journal = new RunJournal(context, trail, { epoch, head });
  const surroundings = surroundingsOf(context, before, secrets);
  const functions = examined.workflow?.functions;
  const runner = new Runner({ context: surroundings, journal, functions }, options);
  const interrupted = stepsWith(before, "running");
  if (interrupted.length === 0 && !options.takeOver) {
    const definition = examined.workflow?.steps ?? before.definition;
    runner.announce("run-resumed", { ...before, epoch, definition });
    return runner.drive(reopened);
  }
  await learnSecrets(interrupted, surroundings);
  // First the run becomes ours, then its attempts are examined: a frozen runner that wakes must not start them meanwhile.
  await journal.commit(reopened, () => ({
    trigger: "run",
    notes: `${before.workflow}: taken over, epoch ${epoch}`,
  }));
  if (journal.run.status === "paused") return runner.end();
  // Nothing would ever watch the commands of steps that an edit removed from the definition.
  const dropped = interrupted.filter(({ id }) => stepOf(journal.run, id) === undefined);
  await endOrphans(journal.run, dropped, context);
  const recovered = await recoverAttempts(journal.run, surroundings, options);
  runner.announce("run-resumed", { ...journal.run, updated_at: before.updated_at });
  runner.adopt(recovered);
  return runner.drive();
}

function acceptFiles(
  { missing_at_import: _missing, import_problems: _problems, ...run }: Run,
  current: ExaminedRun["current"],
): Run {
  const artifacts = Object.values(run.artifacts).map((artifact) => ({
    ...artifact,
    sha256: current.get(artifact.path) ?? artifact.sha256,
  }));
  return { ...run, artifacts: Object.fromEntries(artifacts.map((artifact) => [artifact.path, artifact])) };
}

/** The lease of the previous epoch proves that its runner is gone; that of the new epoch is ours from now on. */
async function takeLeases(context: WorkflowContext, run: Run, takeOver: boolean): Promise<RunLease[]> {
  const leases = leasesOf(context);
  const former = takeOver ? undefined : await leases.take(run.id, run.epoch);
  if (former === undefined && !takeOver) throw heldByAnother(run);
  const own = await leases.take(run.id, run.epoch + 1);
  if (own !== undefined) return former === undefined ? [own] : [own, former];
  await former?.release();
  throw heldByAnother(run);
}

function secretsOf(
  { run, workflow }: ExaminedRun,
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

/** The code of steps in TypeScript is not stored: the caller has to pass it in. */
function checkFunctions({ run, workflow }: ExaminedRun): void {
  const steps = workflow?.steps ?? run.definition;
  const missing = steps.filter(
    ({ kind, id }) => kind === "function" && !isDone(run, id) && !workflow?.functions.has(id),
  );
  if (missing.length === 0) return;
  throw new CheckpointError(
    "usage",
    `Run "${run.id}" has steps in TypeScript, such as "${missing[0]!.id}", and their code is not here.`,
    { hint: "Resume it from its program: resume(run, { workflow })", details: { run: run.id } },
  );
}

function heldByAnother({ id, runner }: Run): CheckpointError {
  const who = runner === undefined ? "Another process" : `Process ${runner.pid} on ${runner.host}`;
  return new CheckpointError("conflict", `${who} is running "${id}".`, {
    hint: `Let it finish, or if it hangs: checkpoint resume ${id} --take-over`,
    details: { run: id },
  });
}

function movedOn(id: string): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" was taken over by another runner at the same moment.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id },
  });
}

/** Throws unless the run may go on. */
export function assertResumable(
  { run, verdict }: ExaminedRun,
  { onResumeCheck }: Pick<ResumeOptions, "onResumeCheck">,
): void {
  refuseOver(run);
  onResumeCheck?.(verdict);
  if (verdict.verdict === "re-plan") throw refusedBy(verdict, run.id);
}

/** What was put aside or cancelled stays so. A completed run has just nothing left to do. */
export function refuseOver({ id, status, workflow, continued_as: fork }: Run): void {
  if (!isOver(status) || status === "completed") return;
  if (fork !== undefined)
    throw new CheckpointError(
      "conflict",
      `Run "${id}" continues as "${fork}": only that one can be resumed.`,
      {
        hint: `checkpoint resume ${fork}`,
        details: { run: id, status },
      },
    );
  throw new CheckpointError("conflict", `Run "${id}" is ${status}: it cannot be resumed.`, {
    hint: `To look at it: checkpoint runs show ${id}\nStart a new one of "${workflow}", or fork this one: checkpoint resume ${id} --resume-step 0`,
    details: { run: id, status },
  });
}
