import { isCheckpointError } from "../../src/core/errors.ts";
import { handoff } from "../../src/work/handoff/handoff.ts";
import type { Handoff } from "../../src/work/handoff/report.ts";
import { LEVELS } from "../../src/work/handoff/items/levels.ts";
import type { CountedFamily } from "./counters.ts";
import { seededRandom } from "./random.ts";
import { makeState } from "./states.ts";
import { FLAVOURS, type Flavour } from "./voices.ts";

export const KEY: Uint8Array = new Uint8Array(32).fill(7);
export const RESUME = "checkpoint run resume build-7 --trail main --from step:deploy";

export interface Rendered {
  readonly seed: number;
  readonly flavour: Flavour;
  readonly budget: number;
  /** Undefined when not even the essentials fit. */
  readonly result: Handoff | undefined;
}

/** Briefings of seeded states at every level for one family. */
export function renderStates(seeds: Iterable<number>, family: CountedFamily): Rendered[] {
  const all: Rendered[] = [];
  for (const seed of seeds) {
    const { flavour, input } = seededInput(seed);
    for (const budget of Object.values(LEVELS)) {
      all.push({ seed, flavour, budget, result: handoffOrNothing(input, { maxTokens: budget, family }) });
    }
  }
  return all;
}

export function seededInput(seed: number): { flavour: Flavour; input: Parameters<typeof handoff>[0] } {
  const random = seededRandom(seed);
  const flavour = FLAVOURS[seed % FLAVOURS.length]!;
  const state = makeState(random, random.pick([30, 64, 124, 371]), flavour);
  return { flavour, input: { ...state, key: KEY, resumeCommand: RESUME } };
}

export function handoffOrNothing(...args: Parameters<typeof handoff>): Handoff | undefined {
  try {
    return handoff(...args);
  } catch (error) {
    if (isCheckpointError(error, "budget")) return undefined;
    throw error;
  }
}
