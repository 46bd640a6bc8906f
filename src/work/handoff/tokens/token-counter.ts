import { CheckpointError } from "../../../core/errors.ts";
import { weigh } from "./pieces.ts";

/** Families whose tokenizers differ enough to matter: the same text is up to 1.8 times as long in another. */
export const FAMILIES = ["claude", "claude-3", "gpt", "gemini"] as const;

/** A tokenizer family; `any` stands for the largest count of all of them. */
export type Family = (typeof FAMILIES)[number] | "any";

/**
 * Counts the tokens of a text exactly, with any tokenizer. Counts must not change between calls, and recorded text may
 * contain anything, even `<|endoftext|>`.
 *
 * @example
 * import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
 * const options = { disallowedSpecial: new Set<string>() };
 * const counter: TokenCounter = { name: "o200k", count: (text) => countTokens(text, options) };
 */
export interface TokenCounter {
  readonly name: string;
  count(text: string): number;
}

/** How many tokens a text has, and how sure that is. */
export interface TokenCount {
  /** The best guess, or the exact number when a counter was given. */
  readonly estimate: number;
  /** What the text will not exceed: this is compared with the budget. */
  readonly upper: number;
  readonly family: Family;
  /** `fitted`: our estimator. `counter:<name>`: the counter that was passed in. */
  readonly method: string;
}

/**
 * Estimates the tokens of a text for a family of models, without a tokenizer; or counts them with one.
 *
 * @example
 * countTokens("hello", "gpt"); // { estimate: 2, upper: 3, family: "gpt", method: "fitted" }
 */
export function countTokens(text: string, family: Family = "claude", counter?: TokenCounter): TokenCount {
  if (counter !== undefined) {
    const exact = countExactly(text, counter);
    return { estimate: exact, upper: exact, family, method: `counter:${counter.name}` };
  }
  const weights = weigh(text);
  const members = family === "any" ? weights : [weights[FAMILIES.indexOf(family)]!];
  return {
    estimate: Math.max(...members.map(({ usual }) => usual)),
    upper: Math.max(...members.map(({ most }) => most)),
    family,
    method: "fitted",
  };
}

/** A counter's answer, checked: if it were not a number, every text would seem to fit. */
function countExactly(text: string, counter: TokenCounter): number {
  const count: unknown = counter.count(text);
  if (typeof count === "number" && count >= 0 && count < Infinity) return count;
  throw new CheckpointError("usage", `The counter "${counter.name}" answered ${String(count)}.`, {
    hint: "count(text) returns a number of tokens, at once: not a promise.",
    details: { counter: counter.name },
  });
}
