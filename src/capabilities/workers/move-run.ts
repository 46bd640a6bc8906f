import { randomUUID } from "node:crypto";

import { isCheckpointError } from "../../core/errors.ts";
import type { Query } from "../postgres/store/database.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { advance, type RunAdvance } from "../workflow/run/advance.ts";
import { registeredDigest } from "../workflow/run/approval.ts";
import { stateOf, stepsWith, type Run } from "../workflow/run/run-state.ts";
import { isOver, runTrail, type RunStatus } from "../../work/state/run-trail.ts";
import { settle, type AttemptOutcome } from "../workflow/run/settle.ts";
import { recordEnd } from "../workflow/runner/bookkeeping.ts";
import { changeLoaded } from "../workflow/runner/change-run.ts";
import { notesOn } from "../workflow/runner/notes.ts";
import { admit, release, waitsFor } from "./admission.ts";
import type { Cluster } from "./cluster.ts";
import { DEFAULT_QUEUE, type Dispatcher, type TakenJob } from "./dispatcher.ts";
import type { Job } from "./job.ts";
import { type Keeper, queueAgain, takeOne } from "./keep-next.ts";
import { type KeptJob, leaveSql, letGo, report, takeRun, type Report, type TakenRun } from "./mover-lease.ts";

/** A report of a worker, which has the job from the queue. */
export type AttemptReport = Report & {
  readonly job: TakenJob;
  /** The worker, if it would do what follows at once: nobody waits for its place. */
  readonly keeper?: Keeper | undefined;
};

export interface MoveOptions {
  /** Also looks whether all steps that should run are in the queue or at a worker, and puts back what is lost. */
  readonly recheckSeconds?: number;
}

/** A step that takes its worker down again and again would otherwise take them all down, for ever. */
const MAX_CRASHES = 20;

/**
 * Puts all news of a run into it, in one commit, and the steps that follow into the queue. Only one at a time does this for
 * a run; the others leave, because the one who does looks again when it lets go. May be called at any time by anyone.
 */
export async function moveRun(
  context: WorkflowContext,
  cluster: Cluster,
  run: string,
  options: MoveOptions = {},
): Promise<void> {
  const taken = await takeRun(cluster.database, run, randomUUID());
  if (taken !== undefined) await moveTaken(context, cluster, { taken, ...options });
}

/** Whether a report was in time, and the step that follows, where the worker keeps it. */
export interface Reported {
  readonly isHeard: boolean;
  readonly next: TakenJob | undefined;
}

/** Reports how an attempt ended, moves its run, and finishes its job. */
export async function reportAndMove(
  context: WorkflowContext,
  cluster: Cluster,
  news: AttemptReport,
): Promise<Reported> {
  const { isHeard, taken } = await report(cluster.database, news, randomUUID());
  const finished = news.job.isKept === true ? undefined : news.job;
  if (taken !== undefined)
    return { isHeard, next: await moveTaken(context, cluster, { taken, finished, keeper: news.keeper }) };
  if (finished !== undefined) await (await cluster.dispatcher()).finish(finished);
  return { isHeard, next: undefined };
}

interface RunMove extends MoveOptions {
  readonly taken: TakenRun;
  /** The job whose outcome is among the news. */
  readonly finished?: TakenJob | undefined;
  readonly keeper?: Keeper | undefined;
}

/** Resolves to the step that the keeper has claimed by that. */
async function moveTaken(
  context: WorkflowContext,
  cluster: Cluster,
  first: RunMove,
): Promise<TakenJob | undefined> {
  let next: TakenJob | undefined;
  for (let move: RunMove = first; ;) {
    let left: LeftRun;
    try {
      const moved = await moveOnce(context, cluster, move);
      const kept = takeOne(moved.starts, move.keeper);
      left = await leave(cluster, move, moved, kept);
      if (left.isKept) next = kept?.job;
      // The run has changed meanwhile: whether the step is still wanted, its next worker finds out.
      else if (kept !== undefined) await queueAgain(cluster, kept.job);
      if (moved.head !== move.taken.head)
        cluster.hints.send([...moved.starts.keys(), runTrail(move.taken.run)]);
    } catch (error) {
      await letGo(cluster.database, move.taken);
      throw error;
    }
    // If that fails, a worker that looks for what is due moves it; this run and its report are done with.
    if (left.next !== undefined) await moveRun(context, cluster, left.next).catch(() => undefined);
    if (!left.hasMore) return next;
    const taken = await takeRun(cluster.database, move.taken.run, randomUUID());
    if (taken === undefined) return next;
    move = { taken };
  }
}

interface MovedRun {
  /** Undefined when there is no such run, or none for workers. */
  readonly run: Run | undefined;
  readonly head: string | null;
  readonly starts: Map<string, Job[]>;
  readonly wakeSeconds: number | null;
}

async function moveOnce(context: WorkflowContext, cluster: Cluster, move: RunMove): Promise<MovedRun> {
  const { taken, recheckSeconds } = move;
  const nothing: MovedRun = { run: undefined, head: taken.head, starts: new Map(), wakeSeconds: null };
  if (taken.head === null) return nothing;
  let plan: RunAdvance | undefined;
  try {
    const loaded = await cluster.runs.take(context, taken.run, taken.head);
    const changed = await changeLoaded(loaded, async (run) => {
      plan = undefined;
      if (run.runs_on !== "workers" || !isMoving(run.status)) return undefined;
      const admission = await admit(cluster.database, run);
      const [next, planned] = moveOn(context, run, { news: taken.news, admission });
      plan = planned;
      if (next === run) return undefined;
      return { run: { ...next, updated_at: context.now().toISOString() }, ...notesOn(run, next) };
    });
    cluster.runs.keep(taken.run, changed);
    const { content_hash: head, state } = changed.head;
    const { run } = state;
    if (run.runs_on !== "workers") return { ...nothing, head };
    if (recheckSeconds !== undefined && isMoving(run.status)) await putBack(cluster, run, recheckSeconds);
    const { wakeAt } = plan ?? {};
    const wakeSeconds = wakeAt === undefined ? null : Math.max(0, wakeAt - context.now().getTime()) / 1000;
    return { run, head, starts: byQueue(run, plan?.starts ?? []), wakeSeconds };
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return nothing;
    throw error;
  }
}

interface MoveFacts {
  readonly news: readonly AttemptOutcome[];
  readonly admission: Awaited<ReturnType<typeof admit>>;
}

/** Puts news into a run, and finds what follows. */
function moveOn(context: WorkflowContext, run: Run, { news, admission }: MoveFacts): [Run, RunAdvance] {
  const now = context.now();
  const { waits_for: _, ...free } = run;
  const settled = settle(admission === "admitted" && run.waits_for !== undefined ? free : run, news, now);
  if (admission !== "admitted") {
    const { run: left } = advance(settled, { now, digestOf: registeredDigest, draining: true });
    const wakeAt = now.getTime() + admission.afterSeconds * 1000;
    return [
      { ...left, reason: waitsFor(run) },
      { run: left, starts: [], wakeAt },
    ];
  }
  const poison = poisonedStep(settled);
  const plan = advance(settled, { now, digestOf: registeredDigest, draining: poison !== undefined });
  return [poison === undefined ? recordEnd(plan.run, [], context) : pausedBy(poison.id, plan.run), plan];
}

const isMoving = (status: RunStatus) => ["pending", "running", "awaiting_approval"].includes(status);

const poisonedStep = (run: Run) =>
  stepsWith(run, "pending").find(({ id }) => stateOf(run, id).crashes >= MAX_CRASHES);

const pausedBy = (step: string, run: Run): Run => ({
  ...run,
  status: "paused",
  reason: `Step "${step}" took ${MAX_CRASHES} workers down with it.`,
});

function byQueue(run: Run, starts: RunAdvance["starts"]): Map<string, Job[]> {
  const jobs = new Map<string, Job[]>();
  for (const { step, attempt } of starts) {
    const { queue = DEFAULT_QUEUE } = step;
    jobs.set(queue, [...(jobs.get(queue) ?? []), { run: run.id, step: step.id, attempt }]);
  }
  return jobs;
}

/** What the store says is running, although no worker has claimed it. */
async function putBack(cluster: Cluster, run: Run, takenSeconds: number): Promise<void> {
  const rows = await cluster.database.read<{ step: string; attempt: number }>(
    "SELECT step, attempt FROM @outcomes WHERE run = $1",
    [run.id],
  );
  const claimed = new Set(rows.map(({ step, attempt }) => `${step}/${attempt}`));
  const lost = stepsWith(run, "running")
    .map((step) => ({ step, attempt: stateOf(run, step.id).attempt }))
    .filter(({ step, attempt }) => !claimed.has(`${step.id}/${attempt}`));
  const dispatcher = await cluster.dispatcher();
  for (const [queue, jobs] of byQueue(run, lost))
    await dispatcher.putBack(jobs, { queue, takenSeconds, priority: run.priority });
}

/**
 * Puts what follows into the queue and takes out what is done, forgets the news and lets go, all together: a job is never
 * finished before the next ones are there. Whether there is more to do.
 */
async function leave(
  cluster: Cluster,
  { taken, finished }: RunMove,
  moved: MovedRun,
  kept: KeptJob | undefined,
): Promise<LeftRun> {
  const { database } = cluster;
  const { run } = moved;
  const left =
    run === undefined || isOver(run.status) ? "over" : isMoving(run.status) ? "moving" : "standing";
  const [sql, values] = leaveSql(taken, { ...moved, left }, kept);
  const leaving = async (query: Query): Promise<LeftRun> => {
    const next = left !== "moving" && run?.limit !== undefined ? await release(query, run) : undefined;
    const [row] = await query<{ more: boolean; claim?: string }>(sql, values);
    return { hasMore: row?.more === true, next, isKept: row?.claim === "claimed" };
  };
  if (moved.starts.size === 0 && finished === undefined && run?.limit === undefined)
    return database.patiently(() => leaving(database.write));
  const dispatcher: Dispatcher = await cluster.dispatcher();
  // Before the transaction: a queue that is not known yet needs a connection of its own.
  await dispatcher.prepare([...moved.starts.keys()]);
  const { priority } = run ?? {};
  return database.repeatable("BEGIN", async (query, _, rawQuery) => {
    for (const [queue, jobs] of moved.starts)
      await dispatcher.enqueue(jobs, { queue, priority, on: rawQuery });
    if (finished !== undefined) await dispatcher.finish(finished, { on: rawQuery });
    return leaving(query);
  });
}

interface LeftRun {
  /** Whether something came meanwhile. */
  readonly hasMore: boolean;
  /** A run that waited for its turn, which it has now. */
  readonly next: string | undefined;
  /** Whether the worker that keeps the step that follows has claimed it. */
  readonly isKept: boolean;
}
