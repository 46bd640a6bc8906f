import { handoff } from "../../src/handoff/handoff.ts";
import type { Handoff } from "../../src/handoff/report.ts";
import { FAMILIES } from "../../src/handoff/token-counter.ts";
import { seededRandom } from "./random.ts";
import { handoffOrNothing, KEY, RESUME, seededInput } from "./rendered.ts";
import { makeState } from "./states.ts";

/** Items at a random budget that are missing, or shorter, at twice that budget; and reruns that differ. */
export function nestingFigures(seeds: readonly number[]): {
  doublings: number;
  missing: number;
  shorter: number;
  unstable: number;
} {
  let doublings = 0;
  let missing = 0;
  let shorter = 0;
  let unstable = 0;
  for (const seed of seeds) {
    const random = seededRandom(seed);
    const { input } = seededInput(seed);
    const options = {
      family: random.pick([...FAMILIES, "any" as const]),
      maxTokens: random.integer(250, 4000),
    };
    const small = handoffOrNothing(input, options);
    if (small === undefined) continue;
    const large = handoff(input, { ...options, maxTokens: 2 * options.maxTokens });
    doublings += 1;
    const forms = formsOf(large);
    for (const { id, form } of small.kept) {
      if (!forms.has(id)) missing += 1;
      else if (RANK[form] > RANK[forms.get(id)!]) shorter += 1;
    }
    if (handoff(structuredClone(input), options).text !== small.text) unstable += 1;
  }
  return { doublings, missing, shorter, unstable };
}

const RANK = { pointer: 0, short: 1, full: 2 } as const;

function formsOf({ kept }: Handoff): Map<string, keyof typeof RANK> {
  return new Map(kept.map(({ id, form }) => [id, form]));
}

/** How long a handoff of about 400 items takes once the code is warm, and the very first time. */
export function speedFigures(rounds: number): {
  items: number;
  medianMs: number;
  p95Ms: number;
  firstMs: number;
} {
  const inputs = Array.from({ length: rounds }, (_, seed) => ({
    ...makeState(seededRandom(70_000 + seed), 450, "english"),
    key: KEY,
    resumeCommand: RESUME,
  }));
  let items = 0;
  const times = inputs.map((input) => {
    const started = performance.now();
    const { kept, dropped } = handoff(input, { level: "standard" });
    const elapsed = performance.now() - started;
    items += (kept.length + dropped.length) / rounds;
    return elapsed;
  });
  const warm = times.slice(Math.floor(rounds / 2)).toSorted((a, b) => a - b);
  return {
    items,
    medianMs: warm[Math.floor(warm.length / 2)]!,
    p95Ms: warm[Math.floor(warm.length * 0.95)]!,
    firstMs: times[0]!,
  };
}
