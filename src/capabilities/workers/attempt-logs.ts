import { setTimeout as delay } from "node:timers/promises";
import { statSync } from "node:fs";

import { tailOf } from "../workflow/engine/attempt-folder.ts";
import type { AttemptLog, KnownLog } from "../workflow/elsewhere.ts";
import type { Database } from "../postgres/store/database.ts";
import type { Job } from "./job.ts";

const LOG_BYTES = 64 * 1024;
/** How often what a running step prints is put into the store, if it has printed more. */
const LIVE_MS = 2000;

interface LogSource {
  readonly job: Job;
  /** The file that grows. */
  readonly output: string;
  readonly clean: (text: string) => string;
}

/** Keeps the end of what a running step prints in the store, until the signal. What fails is left to the next time. */
export async function publishLog(database: Database, source: LogSource, signal: AbortSignal): Promise<void> {
  let published = 0;
  while (!signal.aborted) {
    await delay(LIVE_MS, undefined, { signal, ref: false }).catch(() => undefined);
    const printed = statSync(source.output, { throwIfNoEntry: false })?.size ?? 0;
    if (signal.aborted || printed === published) continue;
    const isWritten = await write(database, source, { printed, hasEnded: false }).then(
      () => true,
      () => false,
    );
    if (isWritten) published = printed;
  }
}

/** Keeps the end of what a step printed that has ended. */
export async function saveLog(database: Database, source: LogSource): Promise<void> {
  const printed = statSync(source.output, { throwIfNoEntry: false })?.size ?? 0;
  if (printed > 0) await database.patiently(() => write(database, source, { printed, hasEnded: true }));
}

async function write(
  database: Database,
  { job: { run, step, attempt }, output, clean }: LogSource,
  { printed, hasEnded }: { readonly printed: number; readonly hasEnded: boolean },
): Promise<void> {
  const tail = tailOf(output, LOG_BYTES);
  // A line that is not whole yet could hold a secret by halves.
  const lines = hasEnded ? tail : tail.slice(0, tail.lastIndexOf("\n") + 1);
  await database.write(
    // Not synced: the commit of the outcome, which comes after, syncs it too.
    `WITH unsynced AS (SELECT set_config('synchronous_commit', 'off', true))
     INSERT INTO @attempt_logs(run, step, attempt, tail, printed, ended) SELECT $1, $2, $3, $4, $5, $6 FROM unsynced
     ON CONFLICT (run, step, attempt) DO UPDATE
       SET tail = excluded.tail, printed = excluded.printed, ended = excluded.ended`,
    // PostgreSQL's text holds no NUL.
    [run, step, attempt, clean(lines).replaceAll("\0", "").toWellFormed(), printed, hasEnded],
  );
}

/** How each attempt's output ends, except of those that are known as they are, for those who look from another machine. */
export async function readLogs(
  database: Database,
  run: string,
  known: readonly KnownLog[],
): Promise<readonly AttemptLog[]> {
  const rows = await database.read<Omit<AttemptLog, "printed"> & { readonly printed: string }>(
    `SELECT step, attempt, tail, printed, ended AS "hasEnded" FROM @attempt_logs AS log WHERE run = $1
       AND NOT EXISTS (
         SELECT FROM unnest($2::text[], $3::integer[], $4::bigint[], $5::boolean[]) AS known(step, attempt, printed, ended)
         WHERE known.step = log.step AND known.attempt = log.attempt
           AND coalesce(known.printed = log.printed AND known.ended = log.ended, true))
     ORDER BY step, attempt`,
    [
      run,
      known.map(({ step }) => step),
      known.map(({ attempt }) => attempt),
      known.map(({ printed }) => printed ?? null),
      known.map(({ hasEnded }) => hasEnded ?? null),
    ],
  );
  return rows.map((row) => ({ ...row, printed: Number(row.printed) }));
}
