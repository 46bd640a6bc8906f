import { countFeatures } from "../../src/handoff/tokens/count-features.ts";
import { FEATURE, FEATURES, type Feature } from "../../src/handoff/tokens/features.ts";
import type { RealCounter } from "./counters.ts";
import { wordlessTexts } from "./wordless.ts";

/** The first of the features that mark text without words. */
export const FIRST_WORDLESS: number = FEATURE.loneLetter;

const ROUNDS = 3000;
/** The bound holds on every such text with this much to spare. */
const HEADROOM = 1.03;
/** Features that ordinary text has too, but that may have to weigh a little more. */
const ALSO: readonly Feature[] = ["hexChar", "mixedChar", "spacedDigit"];
const FREE: readonly number[] = [
  ...ALSO.map((name) => FEATURE[name]),
  ...[...FEATURES.keys()].filter((at) => at >= FIRST_WORDLESS),
];

interface Row {
  readonly kind: string;
  readonly counts: readonly number[];
  readonly tokens: number;
}

/**
 * Weights for what only text without words has, on top of those that were fitted to all other text and stay as they
 * are. The bound then holds on every text of the collection. Ordinary text hardly has these features, so its estimates and
 * bounds hardly change.
 */
export function fitWordless(
  counter: RealCounter,
  { estimate, upper }: { readonly estimate: readonly number[]; readonly upper: readonly number[] },
): { estimate: number[]; upper: number[] } {
  const texts = wordlessTexts(77, 12);
  const tokens = counter.countAll(texts.map(({ text }) => text));
  const rows: Row[] = texts.map(({ kind, text }, at) => ({
    kind,
    counts: Array.from(countFeatures(text)),
    tokens: tokens[at]!,
  }));
  const bound = adjusted(rows, padded(upper), { headroom: HEADROOM, isBound: true });
  const guess = adjusted(rows, padded(estimate), { headroom: 1, isBound: false });
  // A bound is never below the estimate, whatever a text consists of.
  return { estimate: guess.map((weight, at) => Math.min(weight, bound[at]!)), upper: bound };
}

function padded(weights: readonly number[]): number[] {
  return FEATURES.map((_, at) => (at < FIRST_WORDLESS ? weights[at]! : 0) / 1000);
}

/** What ordinary text has often enough that its estimates would suffer. */
const TOO_COMMON: ReadonlySet<Feature> = new Set([
  ...ALSO,
  "loneLetter",
  "mixedWord",
  "noiseRun",
  "digitsOver6",
]);

/** How readily a weight moves: one that ordinary text has to pay for only moves when nothing else helps. */
const READINESS: readonly number[] = FEATURES.map((name, at) => {
  if (at < FIRST_WORDLESS) return 0.02;
  return ["loneLetter", "mixedWord", "garbledLetter"].includes(name) ? 0.15 : 1;
});

interface Aim {
  readonly headroom: number;
  /** A bound is only wrong where it is too low. */
  readonly isBound: boolean;
}

/** Steps towards every text that comes out wrong, in turn: the method of Kaczmarz. */
function adjusted(rows: readonly Row[], from: readonly number[], { headroom, isBound }: Aim): number[] {
  const weights = [...from];
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = isBound ? (round > ROUNDS * 0.9 ? 1 : 0.05) : 0.2 / (1 + round / 20);
    for (const { counts, tokens } of rows) {
      const lacking = tokens * headroom - sizeOf(counts, weights);
      const norm = FREE.reduce((sum, at) => sum + counts[at]! ** 2 * READINESS[at]!, 0);
      if (norm === 0 || (isBound && lacking <= 0)) continue;
      for (const at of FREE) {
        const change = (step * lacking * counts[at]! * READINESS[at]!) / norm;
        if (isBound || !TOO_COMMON.has(FEATURES[at]!))
          weights[at] = Math.max(from[at]!, weights[at]! + change);
      }
    }
  }
  if (isBound) reportBroken(rows, weights);
  return weights.map((weight) => Math.ceil(weight * 1000));
}

function sizeOf(counts: readonly number[], weights: readonly number[]): number {
  return counts.reduce((sum, count, at) => sum + count * weights[at]!, 0);
}

function reportBroken(rows: readonly Row[], weights: readonly number[]): void {
  const broken = new Map<string, number>();
  for (const { kind, counts, tokens } of rows) {
    const share = tokens / sizeOf(counts, weights);
    if (share > 1) broken.set(kind, Math.max(broken.get(kind) ?? 0, share));
  }
  for (const [kind, share] of broken)
    console.log(`  above the bound still: ${kind} (${share.toFixed(2)} of it)`);
}
