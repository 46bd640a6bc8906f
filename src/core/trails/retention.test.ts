import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DAY_MS, DEFAULT_RETENTION, HOUR_MS, isAutomatic, type RetentionPolicy } from "./retention-policy.ts";
import { planRetention, type RetentionItem, type RetentionPlan } from "./retention.ts";

const NOW = new Date("2026-01-23T12:00:00Z");

/** Checkpoints newest first; each is `age` milliseconds old. */
function items(
  ...rows: readonly (readonly [age: number, trigger?: string, notes?: string])[]
): RetentionItem[] {
  return rows.map(([age, trigger = "manual", notes], index) => ({
    id: `c${index}`,
    created_at: new Date(NOW.getTime() - age).toISOString(),
    trigger,
    notes: notes ?? null,
  }));
}

const kept = (plan: RetentionPlan) => plan.keep.map(({ id }) => id);
const plan = (list: readonly RetentionItem[], policy: RetentionPolicy, pinned = new Map<string, string>()) =>
  planRetention(list, policy, { now: NOW, pinned });

describe("a retention policy", () => {
  it("keeps exactly the newest N of all, automatic ones included, when that is its only rule", () => {
    const list = items([0, "hook:stop"], [1], [2, "task"], [3], [4]);
    expect(plan(list, { last: 3 })).toEqual({
      keep: [
        { id: "c0", reasons: ["the newest", "one of the newest 3"] },
        { id: "c1", reasons: ["one of the newest 3"] },
        { id: "c2", reasons: ["one of the newest 3"] },
      ],
      remove: [
        { id: "c3", reason: "not one of the newest 3" },
        { id: "c4", reason: "not one of the newest 3" },
      ],
    });
  });

  it("keeps by age, by trigger and by note, and says which", () => {
    const list = items(
      [0],
      [HOUR_MS],
      [2 * DAY_MS, "phase"],
      [3 * DAY_MS, "manual", "before deploy"],
      [4 * DAY_MS],
    );
    const { keep, remove } = plan(list, { withinMs: DAY_MS, triggers: ["phase"], noted: true });
    expect(keep.slice(1)).toEqual([
      { id: "c1", reasons: ["not older than 24 hours"] },
      { id: "c2", reasons: ['taken for "phase"'] },
      { id: "c3", reasons: ["noted"] },
    ]);
    expect(remove).toEqual([
      { id: "c4", reason: "older than 24 hours, without a note, taken for another reason" },
    ]);
  });

  it("counts only what a person saved when automatic checkpoints have rules of their own", () => {
    const noise = Array.from({ length: 30 }, (_, age) => [age, "hook:post-tool"] as const);
    const list = items(...noise, [40], [41], [42]);
    const { keep } = plan(list, { last: 2, automatic: { last: 3 } });
    expect(keep.map(({ id }) => id)).toEqual(["c0", "c1", "c2", "c30", "c31"]);
    expect(keep[1]?.reasons).toEqual(["one of the newest 3 automatic"]);
  });

  it("keeps the newest automatic one of each hour and day", () => {
    const at = (hours: number) => [hours * HOUR_MS + 60_000, "task"] as const;
    const list = items(at(0), at(0.2), at(1), at(1.5), at(2), at(26), at(27), at(50), at(75));
    expect(kept(plan(list, { automatic: { last: 1, hourly: 2 } }))).toEqual(["c0", "c2"]);
    expect(kept(plan(list, { automatic: { daily: 3 } }))).toEqual(["c0", "c5", "c7"]);
  });

  it("keeps every automatic checkpoint that was asked for by its trigger, whatever else thins them", () => {
    const list = items([0], [1, "hook:pre-compact"], [2, "hook:stop"], [3, "hook:pre-compact"]);
    expect(kept(plan(list, { triggers: ["hook:pre-compact"], automatic: { last: 0 } }))).toEqual([
      "c0",
      "c1",
      "c3",
    ]);
    expect(kept(plan(list, { triggers: ["hook:*"], automatic: { last: 0 } }))).toEqual([
      "c0",
      "c1",
      "c2",
      "c3",
    ]);
  });

  it("keeps everything when it has no rules, so that an empty configuration deletes nothing", () => {
    const list = items([0], [1, "task"], [2]);
    expect(plan(list, {}).remove).toEqual([]);
    expect(plan(list, { automatic: {} }).remove).toEqual([]);
    expect(kept(plan(list, { automatic: { last: 0 } }))).toEqual(["c0", "c2"]);
  });

  it("does not take all that follows for new because one checkpoint is dated in the future", () => {
    const list = items([4 * DAY_MS], [5 * DAY_MS], [-400 * DAY_MS], [6 * DAY_MS], [7 * DAY_MS]);
    const undated = list.with(2, { ...(list[2] as RetentionItem), created_at: "" });
    for (const each of [list, undated]) expect(kept(plan(each, { withinMs: DAY_MS }))).toEqual(["c0", "c2"]);
  });

  it("loses nothing to a wrong clock: what is dated in the future, or not at all, counts as new", () => {
    const list = items([0], [-50 * DAY_MS], [9 * DAY_MS]).map((item, index) =>
      index === 2 ? { ...item, created_at: "sometime" } : item,
    );
    expect(plan(list, { withinMs: HOUR_MS }).remove).toEqual([]);
  });

  it("does not let a clock that jumps to and fro use up its hours", () => {
    const list = items(
      ...Array.from({ length: 20 }, (_, index) => [(index % 2) * 5 * HOUR_MS, "watch"] as const),
      [9 * HOUR_MS, "watch"],
    );
    expect(kept(plan(list, { automatic: { hourly: 3 } }))).toEqual(["c0", "c1", "c20"]);
  });

  it("tells what programs take on their own from what people save", () => {
    const automatic = ["hook:stop", "hook:pre-compact", "task", "step", "exec", "watch", "error"];
    const saved = [
      "manual",
      "phase",
      "approval",
      "restore",
      "undo",
      "fork",
      "import",
      "before-deploy",
      "hooked",
    ];
    expect(automatic.filter(isAutomatic)).toEqual(automatic);
    expect(saved.filter(isAutomatic)).toEqual([]);
  });

  it.each<[RetentionPolicy, string]>([
    [{ last: -1 }, '"-1" is not a retention rule for "last".'],
    [{ withinMs: Number.NaN }, '"NaN" is not a retention rule for "withinMs".'],
    [
      { automatic: { daily: "all" as unknown as number } },
      '"all" is not a retention rule for "automatic.daily".',
    ],
  ])("refuses %o in words", (policy, message) => {
    expect(() => plan(items([0]), policy)).toThrow(expect.objectContaining({ code: "usage", message }));
  });
});

describe("whatever the policy and the clocks", () => {
  const trigger = fc.constantFrom("manual", "phase", "task", "hook:stop", "watch", "custom");
  const age = fc.integer({ min: -20 * DAY_MS, max: 60 * DAY_MS });
  const list = fc.array(fc.tuple(age, trigger, fc.option(fc.constant("note"), { nil: undefined })), {
    maxLength: 60,
  });
  const history = list.map((rows) => items(...(rows as [number, string, string][])));
  const count = fc.nat(20);
  const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
  const automatic = fc.record(
    { last: count, withinMs: fc.nat(DAY_MS), hourly: count, daily: count },
    { requiredKeys: [] },
  );
  const policies = fc.record(
    {
      last: count,
      withinMs: fc.nat(30 * DAY_MS),
      triggers: fc.array(trigger),
      noted: fc.boolean(),
      automatic,
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<RetentionPolicy>;
  const pins = fc.array(fc.nat(59), { maxLength: 5 });

  it("keeps or removes each checkpoint, never both, and never the newest or a pinned one", () => {
    fc.assert(
      fc.property(history, policies, pins, (checkpoints, policy, pinned) => {
        const reasons = new Map(pinned.map((index) => [`c${index}`, "head"]));
        const { keep, remove } = plan(checkpoints, policy, reasons);
        const both = [...keep, ...remove].map(({ id }) => id);
        expect(both.toSorted()).toEqual(checkpoints.map(({ id }) => id).toSorted());
        for (const { reasons: why } of keep) expect(why.length).toBeGreaterThan(0);
        for (const { id, reason } of remove) {
          expect(reason).not.toBe("");
          expect(id).not.toBe("c0");
          expect(reasons.has(id)).toBe(false);
        }
      }),
    );
  });

  it("keeps the order it was given, and the same number by `last`, whatever the dates say", () => {
    fc.assert(
      fc.property(
        history,
        fc.array(age, { minLength: 60, maxLength: 60 }),
        count,
        (checkpoints, ages, last) => {
          const redated = checkpoints.map((item, index) => ({
            ...item,
            created_at: new Date(NOW.getTime() - (ages[index] as number)).toISOString(),
          }));
          const expected = checkpoints.slice(0, Math.max(1, last)).map(({ id }) => id);
          expect(kept(plan(redated, { last }))).toEqual(expected);
          expect(kept(plan(redated, DEFAULT_RETENTION))).toEqual(
            kept(plan(redated, DEFAULT_RETENTION)).toSorted(byPlace),
          );
        },
      ),
    );
  });

  it("keeps what it kept when any number in it grows", () => {
    const growth = fc.tuple(count, optional(fc.record({ last: count, hourly: count, daily: count })));
    fc.assert(
      fc.property(history, policies, growth, (checkpoints, policy, [more, moreAutomatic]) => {
        const grow = (value: number | undefined, by = 0) => (value === undefined ? {} : value + by);
        const { automatic: own } = policy;
        const grown = {
          ...policy,
          ...(policy.last !== undefined && { last: grow(policy.last, more) }),
          ...(policy.withinMs !== undefined && { withinMs: policy.withinMs + more * HOUR_MS }),
          ...(own && {
            automatic: Object.fromEntries(
              Object.entries(own).map(([rule, value]) => [
                rule,
                grow(value, moreAutomatic?.[rule as "last"] ?? more),
              ]),
            ),
          }),
        } as RetentionPolicy;
        expect(kept(plan(checkpoints, grown))).toEqual(
          expect.arrayContaining(kept(plan(checkpoints, policy))),
        );
      }),
    );
  });
});

const byPlace = (left: string, right: string) => Number(left.slice(1)) - Number(right.slice(1));
