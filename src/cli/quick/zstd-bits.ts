/** Bits that are read from the last one back to the first; the highest one of the last byte only marks the end. */
export class BackwardBits {
  readonly #data: Uint8Array;
  /** How many bits are left; below zero when more were taken than there were. */
  #left: number;

  constructor(data: Uint8Array) {
    this.#data = data;
    const last = data.at(-1) ?? 0;
    if (last === 0) throw new RangeError("A stream of bits without an end.");
    this.#left = data.length * 8 - Math.clz32(last) + 23;
  }

  /** Up to 24 bits. Before the first one there are only zeros. */
  take(count: number): number {
    this.#left -= count;
    return this.#at(this.#left, count);
  }

  peek(count: number): number {
    return this.#at(this.#left - count, count);
  }

  skip(count: number): void {
    this.#left -= count;
  }

  get isAtEnd(): boolean {
    return this.#left === 0;
  }

  get isBeyondEnd(): boolean {
    return this.#left < 0;
  }

  #at(start: number, count: number): number {
    if (start < 0) return start + count <= 0 ? 0 : this.#at(0, start + count) << -start;
    const [data, byte] = [this.#data, start >> 3];
    const held = data[byte]! | (data[byte + 1]! << 8) | (data[byte + 2]! << 16) | (data[byte + 3]! << 24);
    return (held >>> (start & 7)) & ((1 << count) - 1);
  }
}

/** A finite state entropy code: for each state its symbol, and how the next state is read. */
export interface FseTable {
  /** States are numbers of so many bits. */
  readonly log: number;
  readonly symbols: readonly number[];
  readonly bits: readonly number[];
  readonly from: readonly number[];
}

/** RFC 8878, 4.1.1. A share of -1 stands for less than one state. */
export function fseTable(shares: readonly number[], log: number): FseTable {
  const size = 1 << log;
  const symbols = Array<number>(size).fill(0);
  let high = size;
  for (const [symbol, share] of shares.entries()) if (share === -1) symbols[--high] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let place = 0;
  for (const [symbol, share] of shares.entries()) {
    for (let left = share; left > 0; left--) {
      symbols[place] = symbol;
      do place = (place + step) & (size - 1);
      while (place >= high);
    }
  }
  const next = shares.map(Math.abs);
  const [bits, from] = [Array<number>(size).fill(0), Array<number>(size).fill(0)];
  for (let state = 0; state < size; state++) {
    const reached = next[symbols[state]!]!++;
    bits[state] = log - 31 + Math.clz32(reached);
    from[state] = (reached << bits[state]!) - size;
  }
  return { log, symbols, bits, from };
}

/** The description of such a code, and where it ends. */
export function readFseTable(
  data: Uint8Array,
  start: number,
  mostSymbols: number,
): { table: FseTable; end: number } {
  let at = start * 8;
  const peek = (count: number) => {
    const byte = at >> 3;
    if (byte >= data.length) throw new RangeError("A code without an end.");
    return (
      ((data[byte]! | (data[byte + 1]! << 8) | (data[byte + 2]! << 16)) >>> (at & 7)) & ((1 << count) - 1)
    );
  };
  const log = peek(4) + 5;
  at += 4;
  if (log > 9) throw new RangeError("A code with too many states.");
  const shares: number[] = [];
  for (let left = 1 << log; left > 0;) {
    const bits = 32 - Math.clz32(left + 1);
    const half = (1 << (bits - 1)) - 1;
    const short = (1 << bits) - 2 - left;
    let value = peek(bits);
    // The smallest values are written with one bit less.
    const isShort = (value & half) < short;
    at += isShort ? bits - 1 : bits;
    if (isShort) value &= half;
    else if (value > half) value -= short;
    shares.push(value - 1);
    left -= Math.abs(value - 1);
    for (let more = value === 1 ? 3 : 0; more === 3; at += 2) {
      more = peek(2);
      for (let zeros = more; zeros > 0; zeros--) shares.push(0);
    }
    if (left < 0 || shares.length > mostSymbols) throw new RangeError("A code that does not add up.");
  }
  return { table: fseTable(shares, log), end: (at + 7) >> 3 };
}
