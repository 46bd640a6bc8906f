import { rmSync } from "node:fs";

import type { Checkpoint } from "../../core/trails/document.ts";
import { isCheckpointError, messageOf } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { ancestorsOf } from "../workflow/definition/graph.ts";
import { attemptFolder, makeFolder, type AttemptFolder } from "../workflow/engine/attempt-folder.ts";
import type { RunningAttempt } from "../workflow/engine/engine.ts";
import { localEngine } from "../workflow/engine/local-engine.ts";
import type { RunDocument } from "../workflow/run/run-state.ts";
import { ended, type AttemptOutcome } from "../workflow/run/settle.ts";
import { briefing } from "../workflow/runner/briefing.ts";
import { resultsOf } from "../workflow/runner/bookkeeping.ts";
import { runFolder, surroundingsOf } from "../workflow/runner/run-folder.ts";
import { whyNotStarted } from "../workflow/runner/step-permits.ts";
import { publishLog, saveLog } from "./attempt-logs.ts";
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
    const log = { job, output: folder.output, clean: around.clean };
    const over = new AbortController();
    const publishing = publishLog(database, log, over.signal);
    const local = localEngine(around, functions);
    const engine = context.aroundEngine?.(local) ?? local;
    const outcome = await untilEnded(engine.start(start), signal).finally(() => over.abort());
    await publishing;
    await saveLog(database, log);
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
