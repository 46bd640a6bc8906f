/** A seeded source of numbers: every run of the bench builds the same states. */
export interface Random {
  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
  shuffle<T>(items: readonly T[]): T[];
  /** Letters and digits that do not compress, as ids are in real logs. */
  token(length: number): string;
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** mulberry32: 32 bits of state are enough for test data. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    integer,
    pick: <T>(choices: readonly T[]): T => choices[integer(0, choices.length - 1)] as T,
    shuffle: (items) => {
      const result = [...items];
      for (let last = result.length - 1; last > 0; last--) {
        const other = integer(0, last);
        [result[last], result[other]] = [result[other] as never, result[last] as never];
      }
      return result;
    },
    token: (length) => Array.from({ length }, () => ALPHABET[integer(0, ALPHABET.length - 1)]).join(""),
  };
}
