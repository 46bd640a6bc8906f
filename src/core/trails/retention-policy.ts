import { CheckpointError } from "../errors.ts";

/** Rules for automatic checkpoints alone. One that any rule keeps stays; without a rule all of them stay. */
export interface AutomaticRetention {
  /** The newest N automatic ones. */
  readonly last?: number;
  readonly withinMs?: number;
  /** The newest of each hour, for the last N hours that have one. */
  readonly hourly?: number;
  /** The newest of each day (UTC), for the last N days that have one. */
  readonly daily?: number;
}

/** Which checkpoints stay. One that any rule keeps stays; a policy without rules keeps everything. */
export interface RetentionPolicy {
  /** The newest N: of all, or, when automatic ones have rules of their own, of the others. */
  readonly last?: number;
  /** Those not older than this. One that is dated in the future counts as new. */
  readonly withinMs?: number;
  /** Those taken for one of these reasons, automatic ones too; `hook:*` stands for every hook. */
  readonly triggers?: readonly string[];
  /** Those with a note. */
  readonly noted?: boolean;
  /** With this, automatic checkpoints never crowd out what a person saved. */
  readonly automatic?: AutomaticRetention;
}

export const HOUR_MS = 60 * 60 * 1000;
export const DAY_MS = 24 * HOUR_MS;

/**
 * How trails are thinned when nothing is configured. `checkpoint prune` without rules takes only its `last`.
 *
 * @example
 * const { removed } = await cairn.trail("main").prune({ ...DEFAULT_RETENTION, last: 10 });
 */
export const DEFAULT_RETENTION: RetentionPolicy = {
  // As many as one looks through by eye.
  last: 50,
  // Whatever was saved today can be gone back to, however busy the day was.
  withinMs: DAY_MS,
  // A note is written to find the checkpoint again.
  noted: true,
  // Steps back within the running session one by one, within the day by the hour, then by the day for two weeks.
  automatic: { last: 100, hourly: 24, daily: 14 },
};

/** Triggers of checkpoints that programs take on their own, by the hundred. */
const AUTOMATIC = new Set(["hook", "task", "step", "exec", "watch", "error"]);

/** Whether a program took a checkpoint on its own: a hook, a task edit, a step, a watcher, an error. */
export function isAutomatic(trigger: string): boolean {
  return AUTOMATIC.has(trigger.split(":", 1)[0] as string);
}

/** Rejects invalid numbers: NaN would silently remove everything. */
export function checkPolicy({ automatic = {}, last, withinMs }: RetentionPolicy): void {
  const ofAutomatic = Object.entries(automatic).map(([name, value]) => [`automatic.${name}`, value] as const);
  for (const [name, value] of [["last", last], ["withinMs", withinMs], ...ofAutomatic] as const) {
    if (value === undefined || (Number.isFinite(value) && value >= 0)) continue;
    throw new CheckpointError("usage", `"${value}" is not a retention rule for "${name}".`, {
      hint: `Give a number that is 0 or more for "${name}".`,
      details: { rule: name, value },
    });
  }
}
