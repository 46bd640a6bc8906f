import { LEVELS } from "../../src/work/handoff/items/levels.ts";
import { countTokens } from "../../src/work/handoff/tokens/token-counter.ts";
import { mean } from "./budget-figures.ts";
import type { RealCounter } from "./counters.ts";
import { handoffOrNothing, KEY, RESUME } from "./rendered.ts";
import { madeUpTexts, wordlessTexts } from "./wordless.ts";

export interface WordlessFigures {
  readonly texts: number;
  readonly kinds: number;
  /** Texts that need more than their bound, and the largest share of its bound that any needed. */
  readonly above: number;
  readonly closest: number;
  /** The same share for words that could be words. */
  readonly madeUp: number;
  /** Briefings of states that consist of such texts, and how many of them are over their budget. */
  readonly briefings: number;
  readonly over: number;
  readonly fill: number;
}

/** Seeds that nothing was fitted on. */
const SEEDS = [1001, 1002];

/** Text without words against a real tokenizer: alone, and as all that a state consists of. */
export function wordlessFigures(counter: RealCounter): WordlessFigures {
  const texts = SEEDS.flatMap((seed) => wordlessTexts(seed, 2));
  const counts = counter.countAll(texts.map(({ text }) => text));
  const shares = texts.map(({ text }, at) => counts[at]! / countTokens(text, counter.family).upper);
  const madeUp = madeUpTexts(1003, 5).map(({ text }) => text);
  const lengthsOfMadeUp = counter.countAll(madeUp);
  const kinds = Map.groupBy(texts, ({ kind }) => kind);
  const briefings = [...kinds.values()].flatMap((group) =>
    briefingsOf(
      group.map(({ text }) => text),
      counter,
    ),
  );
  const lengths = counter.countAll(briefings.map(({ text }) => text));
  return {
    texts: texts.length,
    kinds: kinds.size,
    above: shares.filter((share) => share > 1).length,
    closest: Math.max(...shares),
    madeUp: Math.max(
      ...madeUp.map((text, at) => lengthsOfMadeUp[at]! / countTokens(text, counter.family).upper),
    ),
    briefings: briefings.length,
    over: briefings.filter(({ budget }, at) => lengths[at]! > budget).length,
    fill: mean(briefings.map(({ budget }, at) => lengths[at]! / budget)),
  };
}

function briefingsOf(texts: readonly string[], { family }: RealCounter): { text: string; budget: number }[] {
  const [first = ""] = texts;
  const many = Array.from({ length: 40 }, (_, at) => texts[at % texts.length]!.slice(at * 7));
  const state = {
    goal: first.slice(0, 60),
    next_action: first.slice(60, 120),
    decisions: many.map((what) => ({ what, why: null })),
    files_touched: many.map((text) => text.slice(0, 40)),
    variables: Object.fromEntries(many.map((text, at) => [`v${at}`, text])),
  };
  const input = { checkpoint: { checkpoint_id: "ckpt-1" }, state, key: KEY, resumeCommand: RESUME };
  return Object.values(LEVELS).flatMap((budget) => {
    const made = handoffOrNothing(input, { maxTokens: budget, family });
    return made === undefined ? [] : [{ text: made.text, budget }];
  });
}
