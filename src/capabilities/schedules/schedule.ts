import { Cron } from "croner";

import { CheckpointError } from "../../core/errors.ts";
import type { MISSED } from "./missed.ts";

export interface Schedule {
  readonly name: string;
  /** Five fields, or six with seconds in front. */
  readonly cron: string;
  /** As in `Europe/Berlin`. */
  readonly timezone: string;
  /** The workflow's file, from the project's root. */
  readonly file: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly missed: (typeof MISSED)[number];
  /** The last time that was dealt with; at first, when it was added. */
  readonly after: string;
  readonly by: string;
}

/** After this long a time counts as missed. */
const LATE_MS = 60_000;
/** Of `missed: all`, and at a time: a schedule of a month ago shall not flood the workers. */
const MOST = 100;

/** Throws when the five fields, or the time zone, cannot be read. */
export function checkCron(cron: string, timezone: string): void {
  try {
    // A pattern that never matches, such as 30 February, is a mistake too.
    if (new Cron(cron, { timezone, paused: true }).nextRun() !== null) return;
  } catch (error) {
    throw unreadable(cron, timezone, error);
  }
  throw unreadable(cron, timezone, undefined);
}

/** All that a schedule says, for whether the user wants it; not what was dealt with. */
export const wordsOf = ({ name, cron, timezone, file, inputs, missed }: Schedule): string =>
  JSON.stringify([name, cron, timezone, file, inputs, missed]);

/** When it is due next. */
export const nextDue = ({ cron, timezone }: Pick<Schedule, "cron" | "timezone">, now: Date): Date | null =>
  new Cron(cron, { timezone, paused: true }).nextRun(now);

/** The times since the last one for which runs are started now, the oldest first. Pure. */
export function dueTimes({ cron, timezone, missed, after }: Schedule, now: Date): Date[] {
  const job = new Cron(cron, { timezone, paused: true });
  // A time that has just come is due.
  const until = new Date(now.getTime() + 1000);
  // After a clock that was set back it must not be silent until that time comes again. A run's name is taken only once.
  const isAhead = Date.parse(after) > now.getTime() + LATE_MS;
  const since = isAhead ? now.getTime() - LATE_MS : Date.parse(after);
  const due = job
    .previousRuns(missed === "all" ? MOST : 1, until)
    .filter((time) => time.getTime() > since && time.getTime() <= now.getTime())
    .toReversed();
  return missed === "skip" ? due.filter((time) => now.getTime() - time.getTime() <= LATE_MS) : due;
}

/** The name of the run for a time: two processes that start it start the same one. */
export const dueRunId = ({ name }: Pick<Schedule, "name">, due: Date): string =>
  `${name}-${due
    .toISOString()
    .replaceAll(/[-:]|\.\d+/g, "")
    .replace("T", "-")}`;

function unreadable(cron: string, timezone: string, cause: unknown): CheckpointError {
  const why =
    cause instanceof Error ? ` ${cause.message.replace(/^\w+: /, "")}` : " It names no time at all.";
  return new CheckpointError("usage", `"${cron}" in ${timezone} is not a schedule.${why}`, {
    hint: 'Minute, hour, day, month, weekday: "0 7 * * 1-5" is seven in the morning on workdays',
    details: { cron, timezone },
  });
}
