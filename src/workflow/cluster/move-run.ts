import { randomUUID } from "node:crypto";

import { isCheckpointError } from "../../errors.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { WorkflowContext } from "../context.ts";
import { advance, type RunAdvance } from "../run/advance.ts";
import { registeredDigest } from "../run/approval.ts";
import { isOver, runTrail, stateOf, stepsWith, type Run, type RunStatus } from "../run/run-state.ts";
import { settle, type AttemptOutcome } from "../run/settle.ts";
import { thinArchives } from "../runner/archive.ts";
import { recordEnd } from "../runner/bookkeeping.ts";
import { changeRun } from "../runner/change-run.ts";
import { loadRun } from "../runner/examine-run.ts";
import { notesOn } from "../runner/notes.ts";
import { RunJournal } from "../runner/run-journal.ts";
import type { Cluster } from "./cluster.ts";
import { DEFAULT_QUEUE, type Dispatcher } from "./dispatcher.ts";
import type { Job } from "./job.ts";

export interface MoveOptions {
  /** Also looks whether all steps that should run are in the queue or at a worker, and puts back what is lost. */
  readonly recheckSeconds?: number;
}

/** Moving takes milliseconds. A mover that dies is in the way for this long; one that freezes loses to the trail's head. */
const LEASE_SECONDS = 5;
/** A step that takes its worker down again and again would otherwise take them all down, for ever. */
const MAX_CRASHES = 20;

/**
 * Puts all news of a run into it, in one commit, and the steps that follow into the queue. Only one at a time does this for
 * a run; the others leave, because the one who does looks again after letting go. May be called at any time by anyone.
 */
export async function moveRun(
  context: WorkflowContext,
  cluster: Cluster,
  run: string,
  options: MoveOptions = {},
): Promise<void> {
  const { database } = cluster;
  for (let isFirst = true; ; isFirst = false) {
    const holder = randomUUID();
    const news = await takeOver(database, run, holder);
    if (news === undefined) return;
    let moved: Run | undefined;
    let head: string | undefined;
    try {
      moved = await moveOnce(context, cluster, { run, news, ...(isFirst && options) });
      head = await context.cairn.store.head(runTrail(run));
      await forget(database, { run, news, head, isDone: moved === undefined || !isMoving(moved.status) });
    } finally {
      await letGo(database, run, holder);
    }
    if (!(await hasMore(database, run, head))) {
      if (moved !== undefined && isOver(moved.status)) await tidy(context, moved);
      return;
    }
  }
}

interface Move extends MoveOptions {
  readonly run: string;
  readonly news: readonly AttemptOutcome[];
}

/** Undefined when there is no such run, or none for workers. */
async function moveOnce(context: WorkflowContext, cluster: Cluster, move: Move): Promise<Run | undefined> {
  let plan: RunAdvance | undefined;
  let moved: Run;
  try {
    moved = await changeRun(context, move.run, async (run) => {
      plan = undefined;
      if (run.runs_on !== "workers" || !isMoving(run.status)) return undefined;
      const now = context.now();
      const settled = settle(run, move.news, now);
      const poison = poisonedStep(settled);
      plan = advance(settled, { now, digestOf: registeredDigest, draining: poison !== undefined });
      const next = poison === undefined ? recordEnd(plan.run, [], context) : pausedBy(poison.id, plan.run);
      if (next === run) return undefined;
      return { run: { ...next, updated_at: now.toISOString() }, ...notesOn(run, next) };
    });
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return undefined;
    throw error;
  }
  if (moved.runs_on !== "workers") return undefined;
  const dispatcher = await cluster.dispatcher();
  for (const [queue, jobs] of byQueue(moved, plan?.starts ?? [])) await dispatcher.enqueue(jobs, { queue });
  if (isMoving(moved.status)) {
    if (move.recheckSeconds !== undefined)
      await putBack(cluster.database, dispatcher, moved, move.recheckSeconds);
    await wakeAt(cluster.database, moved.id, plan?.wakeAt, context.now());
  }
  return moved;
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
async function putBack(
  database: Database,
  dispatcher: Dispatcher,
  run: Run,
  takenSeconds: number,
): Promise<void> {
  const rows = await database.read<{ step: string; attempt: number }>(
    "SELECT step, attempt FROM @outcomes WHERE run = $1",
    [run.id],
  );
  const claimed = new Set(rows.map(({ step, attempt }) => `${step}/${attempt}`));
  const lost = stepsWith(run, "running")
    .map((step) => ({ step, attempt: stateOf(run, step.id).attempt }))
    .filter(({ step, attempt }) => !claimed.has(`${step.id}/${attempt}`));
  for (const [queue, jobs] of byQueue(run, lost)) await dispatcher.putBack(jobs, { queue, takenSeconds });
}

/** The news of a run, with the right to move it; undefined when somebody else has that. Runners' epochs begin at 1. */
async function takeOver(
  database: Database,
  run: string,
  holder: string,
): Promise<AttemptOutcome[] | undefined> {
  const taken = await database.patiently(() =>
    database.write(
      `INSERT INTO @leases(run, epoch, holder, machine, expires)
       VALUES ($1, 0, $2, '', now() + make_interval(secs => $3))
       ON CONFLICT (run, epoch) DO UPDATE SET holder = excluded.holder, expires = excluded.expires
         WHERE leases.expires < now() OR leases.holder = excluded.holder
       RETURNING run`,
      [run, holder, LEASE_SECONDS],
    ),
  );
  if (taken.length === 0) return undefined;
  const rows = await database.read<{ outcome: string }>(
    "SELECT outcome FROM @outcomes WHERE run = $1 AND outcome IS NOT NULL",
    [run],
  );
  return rows.map(({ outcome }) => JSON.parse(outcome) as AttemptOutcome);
}

interface Settled {
  readonly run: string;
  readonly news: readonly AttemptOutcome[];
  readonly head: string | undefined;
  readonly isDone: boolean;
}

/** Deletes what is in the run now. A run that stands still is forgotten, unless a person has just set it going again. */
async function forget(database: Database, { run, news, head, isDone }: Settled): Promise<void> {
  if (news.length > 0)
    await database.patiently(() =>
      database.write(
        `DELETE FROM @outcomes WHERE run = $1 AND (step, attempt) IN (
           SELECT * FROM unnest($2::text[], $3::integer[]))`,
        [run, news.map(({ step }) => step), news.map(({ attempt }) => attempt)],
      ),
    );
  if (isDone)
    await database.patiently(() =>
      database.write(
        `DELETE FROM @active_runs WHERE run = $1
         AND (SELECT encode(head, 'hex') FROM @trails WHERE name = $2) IS NOT DISTINCT FROM $3`,
        [run, runTrail(run), head ?? null],
      ),
    );
}

async function wakeAt(database: Database, run: string, at: number | undefined, now: Date): Promise<void> {
  const seconds = at === undefined ? null : Math.max(0, at - now.getTime()) / 1000;
  await database.patiently(() =>
    database.write(
      `INSERT INTO @active_runs(run, wake_at) VALUES ($1, now() + make_interval(secs => $2))
       ON CONFLICT (run) DO UPDATE SET wake_at = excluded.wake_at, looked_at = now()`,
      [run, seconds],
    ),
  );
}

/** A row that stays only costs time: it expires. */
async function letGo(database: Database, run: string, holder: string): Promise<void> {
  await database
    .write("DELETE FROM @leases WHERE run = $1 AND epoch = 0 AND holder = $2", [run, holder])
    .catch(() => undefined);
}

/** Whether something came while others were kept out: news, or a commit of somebody who decided, resumed or cancelled. */
async function hasMore(database: Database, run: string, head: string | undefined): Promise<boolean> {
  const [row] = await database.read<{ more: boolean }>(
    `SELECT EXISTS (SELECT FROM @outcomes WHERE run = $1 AND outcome IS NOT NULL)
       OR (SELECT encode(head, 'hex') FROM @trails WHERE name = $2) IS DISTINCT FROM $3 AS more`,
    [run, runTrail(run), head ?? null],
  );
  return row?.more === true;
}

/** Prunes what a finished run no longer needs, as a runner does at its end. */
async function tidy(context: WorkflowContext, { id, epoch, status, workflow }: Run): Promise<void> {
  const { trail, head } = await loadRun(context, id);
  await new RunJournal(context, trail, { epoch, head }).prune({ now: true });
  if (status === "completed") await thinArchives(context, workflow);
}
