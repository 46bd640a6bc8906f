import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ChaosEvent, eventText, parseEvent, schedulesOf } from "./schedule.ts";
import { FAULT_NAMES } from "./faults.ts";
import { shrink } from "./shrink.ts";

const TARGETS = [
  { step: "plan", faults: FAULT_NAMES },
  { step: "council/security", faults: ["fail", "contradict"] as const },
];

function take(count: number, seed: number) {
  const schedules = schedulesOf(TARGETS, { seed, most: 4, runs: count });
  return Array.from({ length: count }, () => schedules.next().value as readonly ChaosEvent[]);
}

describe("schedules", () => {
  it("are the same for the same seed, and strike each call once", () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 80 }), (seed, count) => {
        const schedules = take(count, seed);
        expect(take(count, seed)).toEqual(schedules);
        for (const events of schedules) {
          expect(events.length).toBeGreaterThan(0);
          expect(events.length).toBeLessThanOrEqual(4);
          expect(new Set(events.map(({ step, call }) => `${step}#${call}`)).size).toBe(events.length);
          expect(events.map(eventText).map(parseEvent)).toEqual(events);
        }
      }),
    );
  });

  it("begin with each fault by itself", () => {
    const singles = take(30, 1)
      .slice(0, 15)
      .flatMap((events) => events.map(eventText));
    expect(singles).toHaveLength(15);
    expect(new Set(singles).size).toBe(15);
    expect(singles).toContain("council/security#1 contradict");
  });
});

describe("shrinking", () => {
  it("leaves exactly what is needed to fail", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat(), { minLength: 1, maxLength: 12 }),
        fc.nat(),
        async (items, pick) => {
          const needed = items.filter((_, index) => (pick >> index) % 2 === 1).slice(0, 3);
          const fails = async (some: readonly number[]) => needed.every((each) => some.includes(each));
          const { smallest } = await shrink(items, fails, 1000);
          expect(new Set(smallest)).toEqual(new Set(needed.length === 0 ? smallest.slice(0, 1) : needed));
        },
      ),
    );
  });

  it("stops after the tries that it may take, with what still fails", async () => {
    const { smallest, tries } = await shrink([1, 2, 3, 4, 5, 6, 7, 8], async (some) => some.includes(7), 2);
    expect(tries).toBe(2);
    expect(smallest).toContain(7);
  });
});
