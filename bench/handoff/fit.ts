// Fits the estimator to the tokenizers at hand and writes src/handoff/tokens/weights.ts:
//   node bench/handoff/fit.ts [--counter "claude=<program>"] [--counter "claude-3=<program>"]
// A family without a counter keeps the weights that it has. With --wordless only the weights of features that ordinary
// text hardly has are fitted again.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { countFeatures } from "../../src/handoff/tokens/count-features.ts";
import { FEATURES, type Feature } from "../../src/handoff/tokens/features.ts";
import { FAMILIES } from "../../src/handoff/tokens/token-counter.ts";
import { WEIGHTS } from "../../src/handoff/tokens/weights.ts";
import { buildCorpus, type Chunk } from "./corpus.ts";
import { realCounters, type RealCounter } from "./counters.ts";
import { FIRST_WORDLESS, fitWordless } from "./fit-wordless.ts";
import { estimate, fitWeights, type Sample } from "./regression.ts";
import { renderStates } from "./rendered.ts";

/** How much each kind of text counts, whatever its share of the corpus. What we print ourselves counts most. */
const IMPORTANCE: Readonly<Record<string, number>> = {
  handoffs: 4,
  noise: 0.3,
  symbols: 0.3,
  "other scripts": 0.3,
  "other languages": 0.7,
};
/** What a weight is drawn to where the corpus has little to say. */
const PRIOR: Partial<Record<Feature, number>> = {
  symbol: 1.5,
  astral: 3,
  otherLetter: 2,
  hebrewArabic: 0.7,
  brahmic: 0.8,
  greek: 0.8,
  widePunctuation: 0.8,
};
/** What no weight may be below, for the estimate and for the bound: the corpus has no gibberish and few rare scripts. */
const LEAST: Partial<Record<Feature, number>> = {
  rarePair: 0.1,
  widePunctuation: 0.5,
  symbol: 0.5,
  otherLetter: 0.5,
  astral: 1,
};
const LEAST_UPPER: Partial<Record<Feature, number>> = {
  rarePair: 0.4,
  markChange: 0.4,
  widePunctuation: 1,
  symbol: 2,
  otherLetter: 3,
  astral: 3.6,
  accented: 0.7,
  greek: 1,
  tab: 0.5,
};
/** Seeds that no measurement uses. */
const FIT_SEEDS: readonly number[] = Array.from({ length: 300 }, (_, index) => 500_000 + index);
const ASYMMETRY = 60;
/** The bound must hold on every handoff seen while fitting, with this much to spare. */
const HEADROOM = 1.04;

/** Text without words is fitted afterwards: see fit-wordless.ts. */
const ORDINARY: readonly Feature[] = FEATURES.slice(0, FIRST_WORDLESS);
const prior = ORDINARY.map((name) => PRIOR[name] ?? 0.4);

function fitFamily(counter: RealCounter, corpus: readonly Chunk[]): { estimate: number[]; upper: number[] } {
  const handoffs = renderStates(FIT_SEEDS, counter.family).flatMap(({ result }) => result?.text ?? []);
  const chunks = [
    ...corpus.filter((chunk) => chunk.use === "fit"),
    ...handoffs.map((text) => ({ category: "handoffs", text })),
  ];
  const counts = counter.countAll(chunks.map((chunk) => chunk.text));
  const shares = Map.groupBy(chunks, (chunk) => chunk.category);
  const samples: Sample[] = chunks.map(({ category, text }, index) => ({
    features: countFeatures(text).slice(0, FIRST_WORDLESS),
    tokens: counts[index]!,
    weight: (IMPORTANCE[category] ?? 1) / shares.get(category)!.length,
  }));
  const best = fitWeights(samples, { prior, floor: ORDINARY.map((name) => LEAST[name] ?? 0), asymmetry: 1 });
  const high = fitWeights(samples, {
    prior: best,
    floor: best.map((weight, at) => Math.max(weight, LEAST_UPPER[ORDINARY[at]!] ?? 0)),
    asymmetry: ASYMMETRY,
  });
  const worst = Math.max(
    ...samples.slice(-handoffs.length).map(({ features, tokens }) => tokens / estimate(features, high)),
  );
  console.log(
    `${counter.family}: ${chunks.length} texts by ${counter.name}; the bound is scaled by ${(worst * HEADROOM).toFixed(4)}`,
  );
  // The floor: a bound is never below the estimate, whatever a text consists of.
  return { estimate: toMilli(best, 1), upper: toMilli(high, Math.max(1, worst * HEADROOM)) };
}

function toMilli(weights: readonly number[], scale: number): number[] {
  return weights.map((weight) => Math.ceil(weight * scale * 1000));
}

const corpus = buildCorpus();
const weights: Record<string, { readonly estimate: readonly number[]; readonly upper: readonly number[] }> = {
  ...WEIGHTS,
};
const args = process.argv.slice(2);
for (const counter of realCounters(args)) {
  const ordinary = args.includes("--wordless") ? WEIGHTS[counter.family] : fitFamily(counter, corpus);
  weights[counter.family] = fitWordless(counter, ordinary);
}

const table = FAMILIES.map((family) => {
  const { estimate: best, upper } = weights[family]!;
  return `  ${/\W/.test(family) ? JSON.stringify(family) : family}: {\n    estimate: [${best.join(", ")}],\n    upper: [${upper.join(", ")}],\n  },`;
});
writeFileSync(
  fileURLToPath(new URL("../../src/handoff/tokens/weights.ts", import.meta.url)),
  `import type { FAMILIES } from "./token-counter.ts";

/**
 * Thousandths of a token for each feature, in the order of \`FEATURES\`, fitted by bench/handoff/fit.ts: \`estimate\`
 * by least squares, \`upper\` so that texts which need more than that are rare. Do not edit by hand.
 */
export const WEIGHTS: Readonly<
  Record<(typeof FAMILIES)[number], { readonly estimate: readonly number[]; readonly upper: readonly number[] }>
> = {
${table.join("\n")}
};
`,
);
