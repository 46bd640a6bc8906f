import type { HandoffInput } from "../../src/work/handoff/handoff.ts";
import { LEVELS } from "../../src/work/handoff/items/levels.ts";
import { visible } from "../../src/core/text/visible.ts";
import type { CountedFamily, RealCounter } from "./counters.ts";
import { renderStates, seededInput, type Rendered } from "./rendered.ts";

export interface BudgetFigures {
  readonly family: CountedFamily;
  readonly countedBy: string;
  readonly texts: number;
  readonly over: number;
  /** True tokens over budget, where something had to be left out; the mean of each level. */
  readonly fill: ReadonlyMap<number, number>;
  readonly meanFill: number;
  /** The largest share of its bound that a text really needed. */
  readonly closest: number;
  /** Briefings refused because not even the essentials fit, of how many. */
  readonly refused: number;
  /** Essential facts that a briefing lacks. */
  readonly essentialsMissing: number;
}

/** Budget safety, fill and essentials over seeded states at every level, counted by a real tokenizer. */
export function budgetFigures(
  seeds: readonly number[],
  family: CountedFamily,
  counter: RealCounter | undefined,
): BudgetFigures {
  const rendered = renderStates(seeds, family);
  const made = rendered.filter((each) => each.result !== undefined);
  const texts = made.map((each) => each.result!.text);
  const counts = counter?.countAll(texts);
  const fill = counts && fillByLevel(made, counts);
  return {
    family,
    countedBy: counter?.name ?? "nobody: no tokenizer at hand",
    texts: made.length,
    over: counts === undefined ? Number.NaN : made.filter(({ budget }, at) => counts[at]! > budget).length,
    fill: fill ?? new Map(),
    meanFill: fill === undefined ? Number.NaN : mean([...fill.values()]),
    closest:
      counts === undefined
        ? Number.NaN
        : Math.max(...made.map(({ result }, at) => counts[at]! / result!.tokens.upper)),
    refused: rendered.length - made.length,
    essentialsMissing: made.reduce(
      (sum, { seed, result }) => sum + missingEssentials(seededInput(seed).input, result!.text),
      0,
    ),
  };
}

function fillByLevel(made: readonly Rendered[], counts: readonly number[]): Map<number, number> {
  return new Map(
    Object.values(LEVELS).map((level) => {
      const filled = made.flatMap(({ budget, result }, at) =>
        budget === level && result!.dropped.length > 0 ? [counts[at]! / budget] : [],
      );
      return [level, mean(filled)];
    }),
  );
}

/** The facts that must be in every briefing, word for word. */
export function essentialFacts({ state }: HandoffInput): string[] {
  const approvals = (state.approvals_pending ?? []) as { what: string }[];
  return [
    state.goal!,
    state.next_action!,
    ...state.constraints!.map(({ text }) => text),
    ...approvals.map(({ what }) => what),
  ];
}

function missingEssentials(input: HandoffInput, text: string): number {
  const isThere = (fact: string): boolean =>
    visible(fact.trim())
      .split("\n")
      .every((line) => text.includes(line.trimEnd()));
  return essentialFacts(input).filter((fact) => !isThere(fact)).length;
}

export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
