import type { ObjectId } from "../../core/objects/object-id.ts";
import type { StoredTrail } from "../../core/store/contract.ts";
import { RUN_TRAIL_PREFIX, runTrail } from "../../work/state/run-trail.ts";
import type { Database } from "../postgres/store/database.ts";
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

/**
 * Claims an attempt that the run's head says is running: only whoever gets `claimed` may start it. `taken` if any other has
 * claimed it; `moved` if the run has changed, so that it must be looked at again. Synced when this resolves.
 */
export async function claim(
  database: Database,
  { run, step, attempt }: Job,
  head: string,
  { worker, leaseSeconds }: ClaimOptions,
): Promise<"claimed" | "taken" | "moved"> {
  const values = [run, step, attempt, worker, leaseSeconds, runTrail(run), head];
  const [row] = await database.patiently(() =>
    database.write<{ claim: "claimed" | "taken" | "moved" }>(
      "SELECT @claim($1, $2, $3, $4, $5, $6, $7) AS claim",
      values,
    ),
  );
  return row!.claim;
}

/** Gives a claim back before anything was started. */
export async function unclaim(database: Database, job: Job, { worker }: ClaimOptions): Promise<void> {
  await database.patiently(() =>
    database.write(
      "DELETE FROM @outcomes WHERE run = $1 AND step = $2 AND attempt = $3 AND worker = $4 AND outcome IS NULL",
      [job.run, job.step, job.attempt, worker],
    ),
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
       ORDER BY looked_at LIMIT 50 FOR UPDATE SKIP LOCKED)
     RETURNING run`,
    [idleSeconds],
  );
  return rows.map(({ run }) => run);
}

/** Tells the workers of a run, before its first step is marked: from then on it cannot be forgotten. */
export async function watchOver(database: Database, run: string): Promise<void> {
  await database.patiently(() =>
    database.write(
      `WITH stood AS (DELETE FROM @standing_runs WHERE run = $1)
       INSERT INTO @active_runs(run) VALUES ($1) ON CONFLICT (run) DO NOTHING`,
      [run],
    ),
  );
}

/** More than a person looks at. */
const MOST_UNFINISHED = 1000;

/** The trails of the runs that are not over, most recently changed first. */
export async function findUnfinished(database: Database): Promise<StoredTrail[]> {
  const rows = await database.read<{ name: string; head: ObjectId }>(
    `SELECT name, encode(head, 'hex') AS head FROM @trails AS t JOIN @checkpoints AS c ON c.id = head AND c.trail = t.id
     WHERE name IN (SELECT $1 || run FROM @active_runs UNION SELECT $1 || run FROM @standing_runs)
     ORDER BY sequence DESC LIMIT ${MOST_UNFINISHED}`,
    [RUN_TRAIL_PREFIX],
  );
  return rows;
}
