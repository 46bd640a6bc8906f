import type { Database } from "../postgres/store/database.ts";
import { runTrail } from "../../work/state/run-trail.ts";
import type { AttemptOutcome } from "../workflow/run/settle.ts";
import type { ClaimOptions } from "./claims.ts";
import type { TakenJob } from "./dispatcher.ts";
import type { Job } from "./job.ts";

/** Moving takes milliseconds. A mover that dies is in the way for this long; one that freezes loses to the trail's head. */
const LEASE_SECONDS = 5;

/** How an attempt ended, as its worker tells. */
export interface Report {
  readonly job: Job;
  readonly worker: string;
  readonly outcome: AttemptOutcome;
}

/** The right to move a run, with what is to be put into it. */
export interface TakenRun {
  readonly run: string;
  readonly holder: string;
  readonly news: readonly AttemptOutcome[];
  /** Of the run's trail; null when there is none. */
  readonly head: string | null;
}

interface TakeRow {
  readonly taken: boolean;
  readonly head: string | null;
  readonly news: readonly string[];
}

/** The right to move a run; undefined when somebody else has it, who will look again before letting go. */
export async function takeRun(
  database: Database,
  run: string,
  holder: string,
): Promise<TakenRun | undefined> {
  const [row] = await database.patiently(() =>
    database.write<TakeRow>("SELECT * FROM @take_run($1, $2, $3, $4)", [
      run,
      runTrail(run),
      holder,
      LEASE_SECONDS,
    ]),
  );
  return takenOf(run, holder, row!);
}

/**
 * Reports how an attempt ended, and takes the run if a holder is named. Not heard when the attempt was given up before: then
 * the report came too late, and is ignored.
 */
export async function report(
  database: Database,
  { job: { run, step, attempt }, worker, outcome }: Report,
  holder: string | null = null,
): Promise<{ readonly isHeard: boolean; readonly taken: TakenRun | undefined }> {
  const values = [run, step, attempt, worker, JSON.stringify(outcome), runTrail(run), holder, LEASE_SECONDS];
  const [row] = await database.patiently(() =>
    database.write<TakeRow & { readonly heard: boolean }>(
      "SELECT * FROM @report($1, $2, $3, $4, $5, $6, $7, $8)",
      values,
    ),
  );
  return { isHeard: row!.heard, taken: holder === null ? undefined : takenOf(run, holder, row!) };
}

function takenOf(run: string, holder: string, { taken, head, news }: TakeRow): TakenRun | undefined {
  if (!taken) return undefined;
  return { run, holder, head, news: news.map((outcome) => JSON.parse(outcome) as AttemptOutcome) };
}

/** A step that follows, and the worker that does it at once. */
export interface KeptJob {
  readonly job: TakenJob;
  readonly by: ClaimOptions;
}

/** How a run was left. */
export interface LeftRun {
  readonly head: string | null;
  /** `standing`: nothing is to be done about it until somebody decides, resumes or cancels; `over`: nor then. */
  readonly left: "moving" | "standing" | "over";
  /** When a step may be tried again. */
  readonly wakeSeconds: number | null;
}

/**
 * Forgets the news, which are in the run now, and gives the right back. The answer of this SQL says whether there are more, and
 * whether the job that a worker keeps is its own.
 */
export function leaveSql(
  { run, holder, news }: TakenRun,
  { head, left, wakeSeconds }: LeftRun,
  kept?: KeptJob,
): [sql: string, values: unknown[]] {
  const claim = kept === undefined ? "" : ", @claim($1, $9, $10, $11, $12, $2, $4) AS claim";
  const claimed =
    kept === undefined ? [] : [kept.job.step, kept.job.attempt, kept.by.worker, kept.by.leaseSeconds];
  return [
    `SELECT @leave_run($1, $2, $3, $4, $5, $6, $7, $8) AS more${claim}`,
    [
      run,
      runTrail(run),
      holder,
      head,
      news.map(({ step }) => step),
      news.map(({ attempt }) => attempt),
      left,
      wakeSeconds,
      ...claimed,
    ],
  ];
}

/** After a failure. A row that stays only costs time: it expires. */
export async function letGo(database: Database, { run, holder }: TakenRun): Promise<void> {
  await database
    .write("DELETE FROM @leases WHERE run = $1 AND epoch = 0 AND holder = $2", [run, holder])
    .catch(() => undefined);
}
