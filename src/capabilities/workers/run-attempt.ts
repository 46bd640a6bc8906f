import { rmSync } from "node:fs";

import type { Checkpoint } from "../../core/trails/document.ts";
import { isCheckpointError, messageOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { ancestorsOf } from "../workflow/definition/graph.ts";
import { attemptFolder, makeFolder, tailOf, type AttemptFolder } from "../workflow/engine/attempt-folder.ts";
import type { RunningAttempt } from "../workflow/engine/engine.ts";
import { localEngine } from "../workflow/engine/local-engine.ts";
import type { RunDocument } from "../workflow/run/run-state.ts";
import { ended, type AttemptOutcome } from "../workflow/run/settle.ts";
import { briefing } from "../workflow/runner/briefing.ts";
import { resultsOf } from "../workflow/runner/bookkeeping.ts";
import { runFolder, surroundingsOf } from "../workflow/runner/run-folder.ts";
import { whyNotStarted } from "../workflow/runner/step-permits.ts";
import { download, upload } from "./blobs.ts";
import type { Cluster } from "./cluster.ts";
import { jobId, type Job } from "./job.ts";
import type { CheckedStep } from "./checked-step.ts";
import { openWorktree } from "./worktree.ts";

export interface AttemptStart {
  readonly job: Job;
  readonly head: Checkpoint<RunDocument>;
  readonly checked: Exclude<CheckedStep, { refusal: string }>;
  /** The biggest file that it may register. */
  readonly maxFileBytes: number;
  readonly signal: AbortSignal;
}

const LOG_BYTES = 64 * 1024;

/**
 * Runs one attempt on this machine: in a clean worktree with the registered files of the steps that it waits for, and
 * nothing else. When this resolves, its files and the end of what it printed are in the store, and no longer here. Never
 * rejects.
 */
export async function runAttempt(
  context: WorkflowContext,
  { database }: Cluster,
  { job, head, checked, maxFileBytes, signal }: AttemptStart,
): Promise<AttemptOutcome> {
  const { run } = head.state;
  const { step, functions, secrets } = checked;
  const { attempt } = job;
  let folder: AttemptFolder | undefined;
  let remove = async () => {};
  try {
    const worktree = await openWorktree(context, run.git_head, jobId(job));
    remove = () => worktree.remove();
    const before = ancestorsOf(step.id, run.definition);
    for (const artifact of Object.values(run.artifacts))
      if (before.has(artifact.step)) await download(database, worktree.root, artifact);
    const around = surroundingsOf({ ...context, root: worktree.root }, run, secrets);
    // The run's mover recorded that the step starts, not who runs it.
    const refused = await whyNotStarted(step, around, { isAlwaysAsked: true });
    if (refused !== undefined) return ended("failed", { step, attempt }, refused);
    folder = attemptFolder(runFolder(context, run.id), step.id, attempt);
    makeFolder(folder.path);
    const handoff = step.agent === undefined ? undefined : await briefing(context, head, step);
    signal.throwIfAborted();
    const start = { step, attempt, run, folder, results: () => resultsOf(run), handoff };
    const local = localEngine(around, functions);
    const engine = context.aroundEngine?.(local) ?? local;
    const outcome = await untilEnded(engine.start(start), signal);
    const tail = around.clean(tailOf(folder.output, LOG_BYTES));
    if (tail !== "") await saveLog(database, job, tail);
    if (outcome.kind === "completed")
      for (const artifact of outcome.artifacts) await upload(database, worktree.root, artifact, maxFileBytes);
    return outcome;
  } catch (error) {
    const reason = messageOf(error);
    // What a worker could not prepare or save is not the step's fault, unless it made something that cannot be saved.
    const kind = isCheckpointError(error, "usage") ? "failed" : "crashed";
    return ended(kind, { step, attempt }, reason);
  } finally {
    // It may hold secrets that the step printed, and would stay for ever: runs are removed elsewhere.
    if (folder !== undefined) rmSync(folder.path, { recursive: true, force: true });
    await remove();
  }
}

async function untilEnded(running: RunningAttempt, signal: AbortSignal): Promise<AttemptOutcome> {
  const stop = () => running.stop();
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await running.outcome;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

type LogDatabase = Cluster["database"];

async function saveLog(database: LogDatabase, { run, step, attempt }: Job, tail: string): Promise<void> {
  await database.patiently(() =>
    database.write(
      // Not synced: the commit of the outcome, which comes after, syncs it too.
      `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
       INSERT INTO @attempt_logs(run, step, attempt, tail) SELECT $1, $2, $3, $4 FROM unsynced
       ON CONFLICT (run, step, attempt) DO UPDATE SET tail = excluded.tail`,
      // PostgreSQL's text holds no NUL.
      [run, step, attempt, tail.replaceAll("\0", "").toWellFormed()],
    ),
  );
}

type AttemptName = Pick<Job, "step" | "attempt">;

/** How each attempt's output ends, except of those in `known`, for those who look from another machine. */
export async function readLogs(database: LogDatabase, run: string, known: readonly AttemptName[]) {
  return database.read<AttemptName & { readonly tail: string }>(
    `SELECT step, attempt, tail FROM @attempt_logs WHERE run = $1
       AND (step, attempt) NOT IN (SELECT * FROM unnest($2::text[], $3::integer[]))`,
    [run, known.map(({ step }) => step), known.map(({ attempt }) => attempt)],
  );
}
