import { existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { keepProjectOutOfGit } from "../../../work/machine/folders.ts";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { elsewhereOf } from "../elsewhere.ts";
import {
  attemptFolder,
  type AttemptFolder,
  makeFolder,
  readStatus,
  writeAttemptFile,
} from "../engine/attempt-folder.ts";
import { stateOf, stepOf, type Run } from "../run/run-state.ts";
import { readRun } from "../runner/examine-run.ts";
import { stepNamed } from "../runner/fork-run.ts";
import { runFolder } from "../runner/run-folder.ts";
import type { Project } from "../../../work/project/project.ts";
import { openRun } from "./open-runs.ts";
import type { InputOf } from "../../../work/verbs/field.ts";
import type { RUNS } from "../run-verbs.ts";

export type RunLogsInput = InputOf<(typeof RUNS)["runs logs"]>;

/** What one attempt of a step printed, and where it is. */
export interface StepLog {
  readonly step: string;
  readonly attempt: number;
  readonly status: string;
  /** Null while it runs, and if it was ended before it could say. */
  readonly exit_status: number | null;
  /** By the clock of the disk; null where it ran elsewhere. */
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** The file with what it printed, stdout and stderr together. */
  readonly path: string;
  /** How it ends, if that was asked for. */
  readonly text?: string | undefined;
}

export interface RunLogsResult {
  readonly run: string;
  readonly logs: readonly StepLog[];
}

/** Where to read what the steps of a run printed, in the order in which they started. */
export async function runLogs(project: Project, input: RunLogsInput): Promise<RunLogsResult> {
  const { workflows, id } = await openRun(project, input.run, "read");
  const run = await readRun(workflows, id);
  await fetchLogs(project, workflows, run);
  const logs = logsOf(workflows, run, input, { everyAttempt: input.every_attempt });
  const { tail_bytes: bytes } = input;
  if (bytes === undefined) return { run: run.id, logs };
  const read = (path: string) => readBounded(path, bytes, "end").bytes?.toString("utf8") ?? "";
  return { run: run.id, logs: logs.map((log) => ({ ...log, text: read(log.path) })) };
}

/** Workers leave the end of what steps printed in the store; here it is put where this machine's own steps leave it. */
export async function fetchLogs(project: Project, workflows: WorkflowContext, run: Run): Promise<void> {
  const elsewhere = run.runs_on === "workers" ? await elsewhereOf(project) : undefined;
  if (elsewhere === undefined) return;
  const folderOf = (step: string, attempt: number) =>
    attemptFolder(runFolder(workflows, run.id), step, attempt);
  const known = run.steps
    .flatMap(({ id: step, attempt: newest }) =>
      Array.from({ length: newest }, (_, at) => ({ step, attempt: at + 1 })),
    )
    .filter(({ step, attempt }) => isWhole(folderOf(step, attempt)));
  const fetched = await elsewhere.readLogs(run.id, known);
  // This may be the first that Cairn writes in this clone.
  if (fetched.length > 0) keepProjectOutOfGit(project.root);
  for (const { step, attempt, tail, hasEnded } of fetched) {
    const folder = folderOf(step, attempt);
    makeFolder(folder.path);
    // First: what is there of a step that still runs is fetched again.
    if (!hasEnded) writeAttemptFile(partOf(folder), "");
    writeAttemptFile(folder.output, tail);
    if (hasEnded) rmSync(partOf(folder), { force: true });
  }
}

const partOf = ({ path }: AttemptFolder) => join(path, "still-running");

const isWhole = (folder: AttemptFolder) => existsSync(folder.output) && !existsSync(partOf(folder));

export function logsOf(
  workflows: WorkflowContext,
  run: Run,
  { step, attempt }: Pick<RunLogsInput, "step" | "attempt">,
  { everyAttempt = false } = {},
): StepLog[] {
  const all = run.steps
    .filter((state) => state.attempt > 0 && stepOf(run, state.id)?.kind === "command")
    .map(({ id }) => id);
  const named = step === undefined ? undefined : stepNamed(run, step);
  if (attempt !== undefined && named === undefined) throw whichStep(run);
  if (named !== undefined && !all.includes(named)) throw printsNothing(run, named);
  const attemptsOf = (id: string) =>
    everyAttempt && attempt === undefined
      ? Array.from({ length: stateOf(run, id).attempt }, (_, at) => at + 1)
      : [attempt];
  const logs = (named === undefined ? all : [named]).flatMap((id) =>
    attemptsOf(id).map((wanted) => logOf(workflows, run, id, wanted)),
  );
  const found = logs.filter(({ path }) => existsSync(path));
  // Steps that ran left a file, also if they printed nothing. One that has just begun may have none yet.
  if (found.length > 0 || logs.length === 0) return found;
  const isRunning = named !== undefined && stateOf(run, named).status === "running";
  if (named !== undefined && !isRunning) throw isGone(run, logs[0]);
  if (run.status !== "running") throw isGone(run, undefined);
  return found;
}

function logOf(workflows: WorkflowContext, run: Run, step: string, wanted: number | undefined): StepLog {
  const state = stateOf(run, step);
  const { attempt: newest } = state;
  const attempt = wanted ?? newest;
  if (attempt < 1 || attempt > newest) throw noAttempt(run, step, attempt, newest);
  const folder = attemptFolder(runFolder(workflows, run.id), step, attempt);
  const exitStatus = readStatus(folder);
  // It is made when the attempt starts, and gets the exit status when that ends.
  const claim = statSync(folder.started, { throwIfNoEntry: false });
  return {
    step,
    attempt,
    status: attempt === newest ? state.status : exitStatus === undefined ? "interrupted" : "failed",
    exit_status: exitStatus ?? null,
    started_at: claim ? claim.birthtime.toISOString() : null,
    ended_at: claim && exitStatus !== undefined ? claim.mtime.toISOString() : null,
    path: folder.output,
  };
}

function whichStep({ id }: Run): CheckpointError {
  return new CheckpointError("usage", "--attempt needs a step: every step counts its own attempts.", {
    hint: `checkpoint runs logs ${id} STEP --attempt 1`,
    details: { run: id },
  });
}

function printsNothing(run: Run, step: string): CheckpointError {
  const isCommand = stepOf(run, step)?.kind === "command";
  const message = isCommand
    ? `Step "${step}" of run "${run.id}" has not started yet.`
    : `Step "${step}" of run "${run.id}" is not a command, so it prints nothing.`;
  return new CheckpointError("not-found", message, {
    hint: `checkpoint runs show ${run.id}`,
    details: { run: run.id, step },
  });
}

function isGone({ id, archived_as }: Run, log: StepLog | undefined): CheckpointError {
  const what =
    log === undefined ? `the steps of run "${id}"` : `attempt ${log.attempt} of step "${log.step}"`;
  const why = archived_as === undefined ? "" : ": the run was archived, and what it printed was removed";
  return new CheckpointError("not-found", `What ${what} printed is no longer there${why}.`, {
    hint: `What is known about it: checkpoint runs show ${id}`,
    details: { run: id, step: log?.step ?? null, attempt: log?.attempt ?? null },
  });
}

function noAttempt(run: Run, step: string, attempt: number, newest: number): CheckpointError {
  const message = `Step "${step}" of run "${run.id}" has no attempt ${attempt}: the newest is ${newest}.`;
  return new CheckpointError("not-found", message, {
    hint: `checkpoint runs logs ${run.id} ${step}`,
    details: { run: run.id, step, attempt, newest },
  });
}
