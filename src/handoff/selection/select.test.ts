import fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Form, Item } from "../items/item.ts";
import { createMeter, fits } from "../tokens/meter.ts";
import { createProblem, type SelectionProblem } from "./problem.ts";
import { select, takeEssentials } from "./select.ts";
import { NONE, Selection } from "./selection.ts";

const frame = {
  style: "plain",
  audience: "subagent",
  hasImports: false,
  loadCommand: "",
  resumeCommand: "",
} as const;
/** One token a character makes sizes easy to read. */
const counter = { name: "characters", count: (text: string) => text.length };

function formOf(name: Form["name"], length: number, worth: number): Form {
  return { name, text: "x".repeat(length), worth, shows: 1 };
}

const anItem = fc
  .record({
    value: fc.integer({ min: 1, max: 50 }),
    length: fc.integer({ min: 20, max: 200 }),
    section: fc.constantFrom("gotchas" as const, "tasks" as const, "done" as const),
  })
  .map(({ value, length, section }, index = 0): Item => ({
    id: `${section}${index}`,
    section,
    tier: 2,
    value,
    isPledged: false,
    units: 1,
    forms: [formOf("full", length, 1), formOf("short", Math.ceil(length / 3), 0.7)],
    origin: undefined,
    words: "",
  }));

function solved(
  items: readonly Item[],
  maxTokens: number,
): { problem: SelectionProblem; selection: Selection } {
  const problem = createProblem(items, frame, createMeter({ family: "gpt", maxTokens, counter }));
  const selection = new Selection(problem);
  takeEssentials(problem, selection);
  select(problem, selection);
  return { problem, selection };
}

/** The best value of any choice of forms: all of them are tried. */
function bestOf(problem: SelectionProblem, index = 0, selection: readonly number[] = []): number {
  if (index === problem.candidates.length) return valueIfFits(problem, selection);
  const { forms } = problem.candidates[index]!;
  return Math.max(...[NONE, ...forms.keys()].map((form) => bestOf(problem, index + 1, [...selection, form])));
}

function valueIfFits(problem: SelectionProblem, choice: readonly number[]): number {
  const selection = new Selection(problem);
  const isPossible = choice.every(
    (form, index) =>
      form === NONE ||
      selection.tryPut(
        index,
        form,
        problem.limits.map(() => Infinity),
      ),
  );
  return isPossible && fits(selection.size, problem.limits) ? valueOf(problem, selection) : 0;
}

function valueOf(problem: SelectionProblem, selection: Selection): number {
  return problem.candidates.reduce(
    (sum, { forms }, index) => sum + (forms[selection.formOf(index)]?.value ?? 0),
    0,
  );
}

describe("select", () => {
  it("stays within the limits, and measures what it selects exactly as it would be measured whole", () => {
    fc.assert(
      fc.property(
        fc.array(anItem, { maxLength: 30 }),
        fc.integer({ min: 300, max: 2000 }),
        (items, maxTokens) => {
          const { problem, selection } = solved(items, maxTokens);
          const isEmpty = problem.candidates.every((_, index) => selection.formOf(index) === NONE);
          expect(isEmpty || fits(selection.size, problem.limits)).toBe(true);
          const again = new Selection(problem);
          for (const index of problem.candidates.keys()) {
            if (selection.formOf(index) !== NONE)
              again.tryPut(
                index,
                selection.formOf(index),
                problem.limits.map(() => Infinity),
              );
          }
          expect(again.size).toEqual(selection.size);
        },
      ),
    );
  });

  it("takes everything in full when there is room", () => {
    fc.assert(
      fc.property(fc.array(anItem, { minLength: 1, maxLength: 20 }), (items) => {
        const { problem, selection } = solved(items, 100_000);
        expect(problem.candidates.map((_, index) => selection.formOf(index))).toEqual(
          problem.candidates.map(() => 0),
        );
      }),
    );
  });

  it("keeps at twice the budget what it takes at the budget", () => {
    fc.assert(
      fc.property(
        fc.array(anItem, { minLength: 4, maxLength: 14 }),
        fc.integer({ min: 350, max: 900 }),
        (items, maxTokens) => {
          const small = solved(items, maxTokens);
          const large = solved(items, 2 * maxTokens).selection;
          const lost = small.problem.candidates.filter((_, index) => {
            const form = small.selection.formOf(index);
            return form !== NONE && (large.formOf(index) === NONE || large.formOf(index) > form);
          });
          expect(lost).toEqual([]);
        },
      ),
      { numRuns: 1500 },
    );
  });

  it("comes close to the best of all choices", () => {
    const ratios = fc
      .sample(
        fc.tuple(fc.array(anItem, { minLength: 3, maxLength: 6 }), fc.integer({ min: 500, max: 900 })),
        { numRuns: 40, seed: 1 },
      )
      .map(([items, maxTokens]) => {
        const { problem, selection } = solved(items, maxTokens);
        const best = bestOf(problem);
        return best === 0 ? 1 : valueOf(problem, selection) / best;
      });
    expect(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length).toBeGreaterThan(0.9);
  });
});
