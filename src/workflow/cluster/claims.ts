import type { Database } from "../../store/postgres/database.ts";
import type { AttemptOutcome } from "../run/settle.ts";
import type { Job } from "./job.ts";

/**
 * The rows of `outcomes`. A row without an outcome is a claim: this worker runs this attempt, until the row expires. A row
 * with one is news for the run that nobody has put into it yet. There is at most one row for an attempt, so it is started
 * once, and of a worker that froze and the one that took over only the first is heard.
 */
export interface ClaimOptions {
  readonly worker: string;
  readonly leaseSeconds: number;
}

/** Whether this worker may start the attempt now. Not if any other has ever claimed it. */
export async function claim(
  database: Database,
  { run, step, attempt }: Job,
  { worker, leaseSeconds }: ClaimOptions,
): Promise<boolean> {
  // The update is for a claim whose answer was lost.
  const rows = await database.patiently(() =>
    database.write(
      `INSERT INTO @outcomes(run, step, attempt, worker, expires)
       VALUES ($1, $2, $3, $4, now() + make_interval(secs => $5))
       ON CONFLICT (run, step, attempt) DO UPDATE SET expires = excluded.expires
         WHERE outcomes.worker = excluded.worker AND outcomes.outcome IS NULL
       RETURNING run`,
      [run, step, attempt, worker, leaseSeconds],
    ),
  );
  return rows.length > 0;
}

/** Gives a claim back: nothing was started. */
export async function unclaim(
  database: Database,
  { run, step, attempt }: Job,
  worker: string,
): Promise<void> {
  await database.write(
    "DELETE FROM @outcomes WHERE run = $1 AND step = $2 AND attempt = $3 AND worker = $4 AND outcome IS NULL",
    [run, step, attempt, worker],
  );
}

/**
 * Extends a worker's claims to what it runs. What is not among the result is no longer its own. A claim to anything else must
 * expire: the worker gave it up without being able to say so.
 */
export async function renew(
  database: Database,
  jobs: readonly Job[],
  { worker, leaseSeconds }: ClaimOptions,
): Promise<Job[]> {
  return database.write<Job>(
    `UPDATE @outcomes SET expires = now() + make_interval(secs => $2) WHERE worker = $1 AND outcome IS NULL
       AND (run, step, attempt) IN (SELECT * FROM unnest($3::text[], $4::text[], $5::integer[]))
     RETURNING run, step, attempt`,
    [
      worker,
      leaseSeconds,
      jobs.map(({ run }) => run),
      jobs.map(({ step }) => step),
      jobs.map(({ attempt }) => attempt),
    ],
  );
}

/** Reports how an attempt ended. False when it was given up before: then the report came too late, and is ignored. */
export async function report(
  database: Database,
  worker: string,
  job: Job,
  outcome: AttemptOutcome,
): Promise<boolean> {
  const rows = await database.patiently(() =>
    database.write(
      `UPDATE @outcomes SET outcome = $5, ended = now()
       WHERE run = $1 AND step = $2 AND attempt = $3 AND worker = $4 AND outcome IS NULL RETURNING run`,
      [job.run, job.step, job.attempt, worker, JSON.stringify(outcome)],
    ),
  );
  return rows.length > 0;
}

/** How long a report may lie before any worker takes care of it: whoever wrote it was going to. */
const IDLE_SECONDS = 2;

/**
 * The runs that somebody has to move: a retry is due, a worker has died, or news of an attempt lies there. Claims that have
 * expired become crashes here, by the server's clock.
 */
export async function findDue(database: Database): Promise<string[]> {
  const rows = await database.write<{ run: string }>(
    `WITH dead AS (
       UPDATE @outcomes SET ended = now(), outcome = jsonb_build_object(
         'kind', 'crashed', 'step', step, 'attempt', attempt, 'reason', 'its worker was not heard of any more')::text
       WHERE outcome IS NULL AND expires < now() RETURNING run)
     SELECT run FROM dead
     UNION SELECT run FROM @outcomes WHERE outcome IS NOT NULL AND ended < now() - make_interval(secs => $1)
     UNION SELECT run FROM @active_runs WHERE wake_at <= now()`,
    [IDLE_SECONDS],
  );
  return rows.map(({ run }) => run);
}

/** Runs that nobody has looked at for a while, at most a few, each for one caller only. */
export async function findUnwatched(database: Database, idleSeconds: number): Promise<string[]> {
  const rows = await database.write<{ run: string }>(
    `UPDATE @active_runs SET looked_at = now() WHERE run IN (
       SELECT run FROM @active_runs WHERE looked_at < now() - make_interval(secs => $1)
       ORDER BY looked_at LIMIT 10 FOR UPDATE SKIP LOCKED)
     RETURNING run`,
    [idleSeconds],
  );
  return rows.map(({ run }) => run);
}

/** Tells the workers of a run, before its first step is marked: from then on it cannot be forgotten. */
export async function watchOver(database: Database, run: string): Promise<void> {
  await database.patiently(() =>
    database.write("INSERT INTO @active_runs(run) VALUES ($1) ON CONFLICT (run) DO NOTHING", [run]),
  );
}
