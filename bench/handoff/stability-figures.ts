import { handoff } from "../../src/work/handoff/handoff.ts";
import type { Handoff } from "../../src/work/handoff/report.ts";
import { FAMILIES } from "../../src/work/handoff/tokens/token-counter.ts";
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

export interface SpeedFigures {
  readonly items: number;
  /** By the clock, once the code is warm. */
  readonly medianMs: number;
  readonly p95Ms: number;
  /** Of this thread's processor time, which other programs disturb less; warm, and the very first time. */
  readonly cpuMs: number;
  readonly firstCpuMs: number;
}

/** How long a handoff of about 400 items takes. */
export function speedFigures(rounds: number): SpeedFigures {
  const inputs = Array.from({ length: rounds }, (_, seed) => ({
    ...makeState(seededRandom(70_000 + seed), 475, "english"),
    key: KEY,
    resumeCommand: RESUME,
  }));
  let items = 0;
  const times = inputs.map((input) => {
    const cpu = process.threadCpuUsage();
    const started = performance.now();
    const { kept, dropped } = handoff(input, { level: "standard" });
    const wallMs = performance.now() - started;
    const { user, system } = process.threadCpuUsage(cpu);
    items += (kept.length + dropped.length) / rounds;
    return { wallMs, cpuMs: (user + system) / 1000 };
  });
  const warm = times.slice(Math.floor(rounds / 2));
  return {
    items,
    medianMs: quantile(
      warm.map((time) => time.wallMs),
      0.5,
    ),
    p95Ms: quantile(
      warm.map((time) => time.wallMs),
      0.95,
    ),
    cpuMs: quantile(
      warm.map((time) => time.cpuMs),
      0.5,
    ),
    firstCpuMs: times[0]!.cpuMs,
  };
}

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * share)]!;
}
