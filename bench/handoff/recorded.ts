import { readFileSync } from "node:fs";
import { countTokens } from "../../src/work/handoff/tokens/token-counter.ts";
import { mean } from "./budget-figures.ts";
import type { CountedFamily } from "./counters.ts";

/** Briefings of seeded states, and what a reconstruction of Claude's tokenizers counted (docs/handoff.md). */
const FILE = new URL("recorded-briefings.json", import.meta.url);

/** For families without a public tokenizer: recorded briefings against their bound. */
export function recordedFigures(family: CountedFamily) {
  const all = JSON.parse(readFileSync(FILE, "utf8")) as { family: string; tokens: number; text: string }[];
  const shares = all
    .filter((each) => each.family === family)
    .map(({ text, tokens }) => tokens / countTokens(text, family).upper);
  return {
    texts: shares.length,
    over: shares.filter((share) => share > 1).length,
    closest: Math.max(...shares),
    fill: mean(shares),
  };
}
