import {
  checkPolicy,
  DAY_MS,
  HOUR_MS,
  isAutomatic,
  type AutomaticRetention,
  type RetentionPolicy,
} from "./retention-policy.ts";

/** What a policy looks at. Items come newest first, in the order of commits: the clock never decides the order. */
export interface RetentionItem<Id extends string = string> {
  readonly id: Id;
  readonly created_at: string;
  readonly trigger: string;
  readonly notes: string | null;
}

export interface RetentionOptions {
  readonly now: Date;
  /** What stays whatever the policy says, and why: heads, fork points, pins. */
  readonly pinned?: ReadonlyMap<string, string>;
}

export interface RetentionPlan<Id extends string = string> {
  readonly keep: readonly { readonly id: Id; readonly reasons: readonly string[] }[];
  readonly remove: readonly { readonly id: Id; readonly reason: string }[];
}

/**
 * Decides what stays and what goes, with the reasons. Pure: it reads no clock and removes nothing.
 * The newest is never removed, nor is anything that is pinned.
 *
 * @example
 * const { keep, remove } = planRetention(items, { last: 50 }, { now: new Date() });
 */
export function planRetention<Id extends string>(
  checkpoints: readonly RetentionItem<Id>[],
  policy: RetentionPolicy,
  { now, pinned = new Map() }: RetentionOptions,
): RetentionPlan<Id> {
  checkPolicy(policy);
  const { automatic, ...others } = policy;
  const forOthers = ruleset(others, "", now);
  const forAutomatic = automatic ? ruleset(automatic, "automatic ", now) : forOthers;
  const forAll = triggerRule(policy.triggers);

  const keep: { id: Id; reasons: string[] }[] = [];
  const remove: { id: Id; reason: string }[] = [];
  const ages = agesOf(checkpoints, now);
  for (const [index, item] of checkpoints.entries()) {
    const rules = isAutomatic(item.trigger) ? forAutomatic : forOthers;
    const reasons = [
      ...(index === 0 ? ["the newest"] : []),
      ...(pinned.has(item.id) ? [pinned.get(item.id) as string] : []),
      ...[...rules.keepers, forAll].flatMap((keeper) => keeper(item, ages[index] as number) ?? []),
    ];
    if (reasons.length > 0) keep.push({ id: item.id, reasons });
    else remove.push({ id: item.id, reason: rules.whyNot });
  }
  return { keep, remove };
}

/** Why a rule keeps an item, or undefined. Asked once for each item, newest first: rules count on that. */
type Keeper = (item: RetentionItem, age: number) => string | undefined;

interface Ruleset {
  readonly keepers: readonly Keeper[];
  /** Why something goes that none of them keeps. */
  readonly whyNot: string;
}

type Rules = Omit<RetentionPolicy, "automatic"> & AutomaticRetention;

function ruleset(rules: Rules, kind: string, now: Date): Ruleset {
  const { last, withinMs, hourly, daily, noted, triggers } = rules;
  const keepers: Keeper[] = [];
  const missed: string[] = [];
  if (last !== undefined) {
    keepers.push(lastRule(last, kind));
    missed.push(`not one of the newest ${last} ${kind}`.trimEnd());
  }
  if (withinMs !== undefined) {
    keepers.push((_, age) => (age <= withinMs ? `not older than ${formatAge(withinMs)}` : undefined));
    missed.push(`older than ${formatAge(withinMs)}`);
  }
  for (const [count, name, lengthMs] of [
    [hourly, "hour", HOUR_MS] as const,
    [daily, "day", DAY_MS] as const,
  ]) {
    if (count === undefined) continue;
    keepers.push(
      bucketRule(count, name, (item) => Math.floor((now.getTime() - ageMs(item, now)) / lengthMs)),
    );
    missed.push(`not the newest of one of the last ${count} ${name}s`);
  }
  if (noted === true) {
    keepers.push((item) => (item.notes ? "noted" : undefined));
    missed.push("without a note");
  }
  if (triggers !== undefined) missed.push("taken for another reason");
  if (missed.length === 0) keepers.push(() => "no rule removes it");
  return { keepers, whyNot: missed.join(", ") };
}

/**
 * A commit is never older than one before it, so a clock that was behind makes nothing old. A date in the future, or a
 * missing one, says nothing about other commits: it must not make all that follow it new for ever.
 */
function agesOf(checkpoints: readonly RetentionItem[], now: Date): number[] {
  let least = Number.POSITIVE_INFINITY;
  const oldestFirst = checkpoints.toReversed().map((item) => {
    const age = ageMs(item, now);
    if (Date.parse(item.created_at) <= now.getTime()) least = Math.min(least, age);
    return Math.min(least, age);
  });
  return oldestFirst.toReversed();
}

function lastRule(count: number, kind: string): Keeper {
  let seen = 0;
  return () => (++seen <= count ? `one of the newest ${count} ${kind}`.trimEnd() : undefined);
}

/** Remembers all buckets, not only the last: a clock that jumps back and forth must not use them up. */
function bucketRule(count: number, name: string, bucketOf: (item: RetentionItem) => number): Keeper {
  const seen = new Set<number>();
  return (item) => {
    const bucket = bucketOf(item);
    if (seen.has(bucket) || seen.size >= count) return undefined;
    seen.add(bucket);
    return `the newest of its ${name}`;
  };
}

function triggerRule(triggers: readonly string[] = []): Keeper {
  const exact = new Set(triggers);
  return ({ trigger }) =>
    exact.has(trigger) || exact.has(`${trigger.split(":", 1)[0]}:*`) ? `taken for "${trigger}"` : undefined;
}

/** A wrong clock must lose nothing: a date in the future, or none, counts as new. */
function ageMs({ created_at }: RetentionItem, now: Date): number {
  return Math.max(0, now.getTime() - Date.parse(created_at)) || 0;
}

function formatAge(ms: number): string {
  const [length, name] =
    ms >= 2 * DAY_MS ? [DAY_MS, "days"] : ms >= HOUR_MS ? [HOUR_MS, "hours"] : [60_000, "minutes"];
  return `${Number((ms / length).toFixed(1))} ${name}`;
}
