import { countTokens } from "../../src/work/handoff/tokens/token-counter.ts";
import { mean } from "./budget-figures.ts";
import type { Chunk } from "./corpus.ts";
import type { RealCounter } from "./counters.ts";

export interface EstimatorRow {
  readonly category: string;
  readonly texts: number;
  /** Mean of the absolute relative error, its 95th percentile, and the mean with its sign. */
  readonly mean: number;
  readonly p95: number;
  readonly bias: number;
  /** The share of texts that need more than the upper bound. */
  readonly aboveUpper: number;
}

/** The estimator against a real tokenizer on text that it was not fitted on. */
export function estimatorFigures(counter: RealCounter, corpus: readonly Chunk[]): EstimatorRow[] {
  const chunks = corpus.filter((chunk) => chunk.use === "test");
  const counts = counter.countAll(chunks.map((chunk) => chunk.text));
  const results = chunks.map(({ category, text }, at) => {
    const { estimate, upper } = countTokens(text, counter.family);
    return { category, error: estimate / counts[at]! - 1, isAbove: counts[at]! > upper };
  });
  return [...Map.groupBy(results, ({ category }) => category)].map(([category, group]) => {
    const sizes = group.map(({ error }) => Math.abs(error)).toSorted((a, b) => a - b);
    return {
      category,
      texts: group.length,
      mean: mean(sizes),
      p95: sizes[Math.floor(sizes.length * 0.95)]!,
      bias: mean(group.map(({ error }) => error)),
      aboveUpper: mean(group.map(({ isAbove }) => Number(isAbove))),
    };
  });
}
