import type { ConnectionOptions } from "pg-boss";

import { packageMissing } from "../../core/errors.ts";
import type { Database, Query } from "../postgres/store/database.ts";
import { assertWorkVersion, migrateWork } from "./migrate-work.ts";
import { jobId, parseJob, jobText, type Job } from "./job.ts";

export const DEFAULT_QUEUE = "default";

/** A job that a worker has taken, until it finishes or releases it. */
export interface TakenJob extends Job {
  readonly id: string;
  readonly queue: string;
  /** It was never in the queue: its worker claimed it as it finished the step before. */
  readonly isKept?: boolean;
}

/** A transaction of the caller's that this is to be part of. Queues must have been prepared before. */
interface Within {
  readonly on?: Query;
}

/**
 * Decides where a step runs, and nothing else. Whatever it loses, the store still knows: a worker that looks through the runs
 * puts it back. So nothing here has to be exact, and no lease depends on it.
 */
export interface Dispatcher {
  /** Makes queues that are not there yet. */
  prepare(queues: readonly string[]): Promise<void>;
  /** Jobs that are in the queue already are left as they are. */
  enqueue(
    jobs: readonly Job[],
    options: {
      readonly queue: string;
      readonly afterSeconds?: number;
      readonly priority?: number | undefined;
    } & Within,
  ): Promise<void>;
  /** Up to `count` jobs, the oldest first. Nobody else gets these until they are put back. */
  take(queue: string, count: number): Promise<TakenJob[]>;
  finish(job: TakenJob, options?: Within): Promise<void>;
  /** For a job that cannot be done here: another worker may try, after a while. */
  release(job: TakenJob, options: { readonly afterSeconds: number }): Promise<void>;
  /** Puts jobs back that were taken by a worker that died before it could say so in the store. */
  putBack(
    jobs: readonly Job[],
    options: {
      readonly queue: string;
      readonly takenSeconds: number;
      readonly priority: number | undefined;
    },
  ): Promise<void>;
  /** Deletes old jobs that nobody waits for: their run has ended or is gone, or their worker died and others went on. */
  deleteDead(): Promise<void>;
  close(): Promise<void>;
}

const NO_JOB = "00000000-0000-4000-8000-000000000000";

/** The queue's tables stand beside the store's, in a schema of their own. */
const queueSchema = ({ schema }: Pick<Database, "schema">): string => `${schema}_queue`;

/**
 * pg-boss, used as a list of jobs: `insert`, `fetch`, `deleteJob`. Its workers, heartbeats and supervisor stay off: they
 * would ask the server several times a second, need 10 s to notice a death, and keep leases where they could be lost.
 */
export async function openDispatcher(database: Database): Promise<Dispatcher> {
  await assertWorkVersion(database);
  const boss = await startBoss(database, { migrate: false });
  // It starts even if it could not read its queues, and then refuses everything for a minute. This asks for one of them.
  await boss.getJobById(DEFAULT_QUEUE, NO_JOB).catch(async (error: unknown) => {
    await boss.stop({ graceful: false, close: false });
    throw error;
  });
  const known = new Set<string>();
  const prepare = async (queue: string) => {
    if (known.has(queue)) return;
    if ((await boss.getQueue(queue)) === null) await boss.createQueue(queue);
    known.add(queue);
  };
  /** In the caller's transaction, which is repeated as a whole, or patiently in one of its own. */
  const run = async (work: (options: ConnectionOptions) => Promise<unknown>, on: Query | undefined) => {
    if (on === undefined) await database.patiently(() => work({}));
    else await work({ db: { executeSql: async (text, values) => ({ rows: await on(text, values) }) } });
  };
  const insert: Dispatcher["enqueue"] = async (jobs, { queue, afterSeconds = 0, priority = 0, on }) => {
    if (jobs.length === 0) return;
    await prepare(queue);
    const rows = jobs.map((job) => ({
      id: jobId(job),
      data: { attempt: jobText(job) },
      priority,
      ...(afterSeconds > 0 && { startAfter: afterSeconds }),
    }));
    await run((options) => boss.insert(queue, rows, options), on);
  };
  const remove = async (queue: string, ids: string[], on?: Query) => {
    if (ids.length > 0) await run((options) => boss.deleteJob(queue, ids, options), on);
  };
  return {
    async prepare(queues) {
      for (const queue of queues) await prepare(queue);
    },
    enqueue: insert,
    async take(queue, count) {
      await prepare(queue);
      const jobs = await boss.fetch<{ attempt: string }>(queue, { batchSize: count });
      return jobs.flatMap(({ id, data }) => {
        const job = parseJob(data.attempt);
        return job === undefined ? [] : [{ ...job, id, queue }];
      });
    },
    finish: ({ queue, id }, { on } = {}) => remove(queue, [id], on),
    async release(job, { afterSeconds }) {
      await remove(job.queue, [job.id]);
      await insert([job], { queue: job.queue, afterSeconds });
    },
    async putBack(jobs, { queue, takenSeconds, priority }) {
      await database.patiently(() =>
        database.rawQuery(
          `DELETE FROM "${queueSchema(database)}".job WHERE name = $1 AND id = ANY($2::uuid[])
           AND (state > 'active' OR state = 'active' AND started_on < now() - make_interval(secs => $3))`,
          [queue, jobs.map(jobId), takenSeconds],
        ),
      );
      await insert(jobs, { queue, priority });
    },
    async deleteDead() {
      // Steps take less than a day. What is deleted although a run still wants it is put back.
      await database.write(
        `DELETE FROM "${queueSchema(database)}".job WHERE created_on < now() - interval '1 day'
         AND (started_on < now() - interval '1 day'
           OR split_part(data->>'attempt', '/', 1) NOT IN (SELECT run FROM @active_runs))`,
      );
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** How many jobs wait in each queue. */
export async function readDepth(database: Database): Promise<Record<string, number>> {
  const [there] = await database.rawQuery<{ there: boolean }>("SELECT to_regclass($1) IS NOT NULL AS there", [
    `"${queueSchema(database)}".job`,
  ]);
  if (!there?.there) return {};
  const rows = await database.rawQuery<{ name: string; waiting: string }>(
    `SELECT name, count(*) AS waiting FROM "${queueSchema(database)}".job WHERE state < 'active' GROUP BY name`,
  );
  return Object.fromEntries(rows.map(({ name, waiting }) => [name, Number(waiting)]));
}

/** Makes what workers need, or brings it up to date. Only the owner of the schema can. Without pg-boss there is no queue. */
export async function migrateCluster(database: Database, role?: string): Promise<void> {
  await migrateWork(database, role);
  const boss = await startBoss(database, { migrate: true });
  if ((await boss.getQueue(DEFAULT_QUEUE)) === null) await boss.createQueue(DEFAULT_QUEUE);
  await boss.stop({ graceful: false, close: false });
  if (role === undefined) return;
  const name = `"${role.replaceAll('"', '""')}"`;
  const schema = `"${queueSchema(database)}"`;
  await database.rawQuery(`
    GRANT USAGE ON SCHEMA ${schema} TO ${name};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO ${name};
    GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} TO ${name}`);
}

async function startBoss(database: Database, { migrate }: { readonly migrate: boolean }) {
  const { PgBoss } = await import("pg-boss").catch(
    packageMissing("Workers need the package pg-boss.", "pg-boss@12.35.0"),
  );
  const boss = new PgBoss({
    db: { executeSql: async (text, values) => ({ rows: await database.rawQuery(text, values) }) },
    schema: queueSchema(database),
    migrate,
    supervise: false,
    schedule: false,
    reindex: false,
    clock: QUIET_CLOCK,
  });
  // Its timers only refresh what it knows of its queues, and what fails there is tried again.
  boss.on("error", () => undefined);
  await database.patiently(() => boss.start());
  return boss;
}

/** No timer of the queue keeps a process alive that has nothing else to do. */
const QUIET_CLOCK = {
  now: () => Date.now(),
  setTimeout: (work: () => void, ms: number): unknown => setTimeout(work, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout),
  setInterval: (work: () => void, ms: number): unknown => setInterval(work, ms).unref(),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout),
};
