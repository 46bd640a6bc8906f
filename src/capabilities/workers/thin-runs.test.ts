import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { outdatedRuns } from "./thin-runs.ts";

const NOW = new Date("2026-06-30T00:00:00Z");

/** Most recently changed first. */
const aged = (...runs: [id: string, workflow: string, days: number, isArchived?: boolean][]) =>
  runs.map(([id, workflow, days, isArchived = true]) => ({
    id,
    workflow,
    updated_at: new Date(NOW.getTime() - days * 86_400_000).toISOString(),
    archived_as: isArchived ? `${id}_x` : undefined,
  }));

describe("archived runs of a shared store", () => {
  it("are outdated by age, or when their workflow has as many newer ones", () => {
    const runs = aged(["a3", "a", 1], ["b1", "b", 2], ["a2", "a", 3], ["a1", "a", 4], ["b0", "b", 31]);
    expect(outdatedRuns(runs, { days: 30, runs: 2 }, NOW)).toEqual(["a1", "b0"]);
  });

  it("do not make room by removing runs that can be resumed", () => {
    const runs = aged(["failed", "a", 400, false], ["new", "a", 0], ["old", "a", 400]);
    expect(outdatedRuns(runs, { days: 30, runs: 1 }, NOW)).toEqual(["old"]);
  });

  it("are kept up to the number, and none of the right age beyond it", () => {
    const run = fc.tuple(fc.constantFrom("a", "b"), fc.nat({ max: 60 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(run), fc.nat({ max: 5 }), (found, most) => {
        const runs = aged(
          ...found
            .toSorted(([, a], [, b]) => a - b)
            .map(([workflow, days, isArchived], at): [string, string, number, boolean] => [
              `r${at}`,
              workflow,
              days,
              isArchived,
            ]),
        );
        const outdated = new Set(outdatedRuns(runs, { days: 30, runs: most }, NOW));
        for (const workflow of ["a", "b"]) {
          const archived = runs.filter(
            (each) => each.workflow === workflow && each.archived_as !== undefined,
          );
          const kept = archived.filter(({ id }) => !outdated.has(id));
          const young = archived.filter(
            ({ updated_at }) => Date.parse(updated_at) >= NOW.getTime() - 30 * 86_400_000,
          );
          expect(kept).toEqual(young.slice(0, most));
        }
      }),
    );
  });
});
