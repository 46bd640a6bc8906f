import { randomInt } from "node:crypto";

/** Numbers in [0, 1) that a seed decides. */
export type Random = () => number;

/** The seed of this run. A failure names it; set CAIRN_SEED to run the same again. */
export const seed = Number(process.env["CAIRN_SEED"] ?? randomInt(1, 2 ** 31));

/** Mulberry32: small, fast, and good enough to choose where to strike. */
export function randomFrom(start: number): Random {
  let state = start >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function integer(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

export function pick<T>(random: Random, items: readonly T[]): T {
  return items[integer(random, 0, items.length - 1)] as T;
}
