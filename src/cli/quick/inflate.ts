/** The base values and extra bits of lengths and distances: RFC 1951, 3.2.5. */
export const LENGTHS = steps(3, [8, 4, 4, 4, 4, 4]);
export const DISTANCES = steps(1, [4, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]);
export const LONGEST = 258;
export const END_OF_BLOCK = 256;
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/**
 * What a few deflated bytes (RFC 1951) were. The dictionary counts as output that came before. Throws when the data
 * is damaged, or when there is more than `limit`.
 */
export function inflate(data: Uint8Array, dictionary: Uint8Array, limit: number): Uint8Array {
  const bits = new Bits(data);
  const out = new Window(dictionary, limit);
  for (let isLast = false; !isLast;) {
    isLast = bits.take(1) === 1;
    const kind = bits.take(2);
    if (kind === 0) out.append(bits.bytes());
    else if (kind === 1) inflateBlock(bits, out, fixedCodes());
    else if (kind === 2) inflateBlock(bits, out, readCodes(bits));
    else throw damaged();
  }
  return out.written();
}

function inflateBlock(bits: Bits, out: Window, { literals, distances }: Codes): void {
  for (;;) {
    const symbol = bits.symbol(literals);
    if (symbol < END_OF_BLOCK) out.push(symbol);
    else if (symbol === END_OF_BLOCK) return;
    else {
      const length = symbol === 285 ? LONGEST : valueOf(bits, LENGTHS, symbol - 257);
      out.repeat(length, valueOf(bits, DISTANCES, bits.symbol(distances)));
    }
  }
}

interface Steps {
  readonly from: readonly number[];
  readonly extra: readonly number[];
}

/** Values in groups: those of each group have one more extra bit than those before, and so lie twice as far apart. */
function steps(first: number, groups: readonly number[]): Steps {
  const extra = groups.flatMap((size, bits) => Array<number>(size).fill(bits));
  let next = first;
  const from = extra.map((bits) => (next += 2 ** bits) - 2 ** bits);
  return { from, extra };
}

function valueOf(bits: Bits, { from, extra }: Steps, symbol: number): number {
  const base = from[symbol];
  if (base === undefined) throw damaged();
  return base + bits.take(extra[symbol] as number);
}

/** A Huffman code: how many symbols there are of each length, and the symbols in the order of their codes. */
interface Code {
  readonly counts: Uint16Array;
  readonly symbols: Uint16Array;
}

interface Codes {
  readonly literals: Code;
  readonly distances: Code;
}

function codeOf(lengths: Uint8Array): Code {
  const counts = new Uint16Array(16);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++) next[length + 1] = next[length]! + counts[length]!;
  const symbols = new Uint16Array(lengths.length);
  for (const [symbol, length] of lengths.entries()) if (length !== 0) symbols[next[length]!++] = symbol;
  return { counts, symbols };
}

let fixed: Codes | undefined;

function fixedCodes(): Codes {
  return (fixed ??= {
    literals: codeOf(new Uint8Array(288).fill(8).fill(9, 144, 256).fill(7, 256, 280)),
    distances: codeOf(new Uint8Array(30).fill(5)),
  });
}

function readCodes(bits: Bits): Codes {
  const literals = bits.take(5) + 257;
  const all = new Uint8Array(literals + bits.take(5) + 1);
  const lengths = new Uint8Array(ORDER.length);
  for (let index = 0, count = bits.take(4) + 4; index < count; index++) lengths[ORDER[index]!] = bits.take(3);
  const code = codeOf(lengths);
  for (let at = 0; at < all.length;) {
    const symbol = bits.symbol(code);
    const value = symbol < 16 ? symbol : symbol === 16 ? (all[at - 1] ?? 16) : 0;
    const times = symbol < 16 ? 1 : symbol === 18 ? 11 + bits.take(7) : 3 + bits.take(symbol - 14);
    if (value === 16 || at + times > all.length) throw damaged();
    all.fill(value, at, at + times);
    at += times;
  }
  return { literals: codeOf(all.subarray(0, literals)), distances: codeOf(all.subarray(literals)) };
}

/** The bits of some bytes, the lowest of each first. */
class Bits {
  readonly #data: Uint8Array;
  #at = 0;
  #held = 0;
  #count = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
  }

  take(wanted: number): number {
    while (this.#count < wanted) this.#hold();
    const value = this.#held & ((1 << wanted) - 1);
    this.#held >>>= wanted;
    this.#count -= wanted;
    return value;
  }

  /** The next symbol of a code: of each length, the codes come right after the shorter ones. */
  symbol({ counts, symbols }: Code): number {
    let code = 0;
    let index = 0;
    for (let length = 1; length < 16; length++) {
      if (this.#count === 0) this.#hold();
      code = (code << 1) | (this.#held & 1);
      this.#held >>>= 1;
      this.#count--;
      const count = counts[length]!;
      if (code < count) return symbols[index + code]!;
      index += count;
      code -= count;
    }
    throw damaged();
  }

  /** Bytes that are not compressed: from the next whole one on, after their length and its complement. */
  bytes(): Uint8Array {
    this.#held = this.#count = 0;
    const length = this.take(16);
    const start = this.#at + 2;
    if ((length ^ this.take(16)) !== 0xffff || start + length > this.#data.length) throw damaged();
    this.#at = start + length;
    return this.#data.subarray(start, this.#at);
  }

  #hold(): void {
    const byte = this.#data[this.#at++];
    if (byte === undefined) throw damaged();
    this.#held |= byte << this.#count;
    this.#count += 8;
  }
}

/** What was written, after a dictionary. Grows as needed, up to a limit. */
class Window {
  readonly #start: number;
  readonly #limit: number;
  #bytes: Uint8Array;
  #end: number;

  constructor(dictionary: Uint8Array, limit: number) {
    this.#start = this.#end = dictionary.length;
    this.#limit = this.#start + limit;
    this.#bytes = new Uint8Array(this.#start + 1024);
    this.#bytes.set(dictionary);
  }

  push(byte: number): void {
    if (this.#end >= this.#bytes.length || this.#end >= this.#limit) this.#makeRoom(1);
    this.#bytes[this.#end++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Writes again what stands some way back; that may be what is being written. */
  repeat(length: number, distance: number): void {
    if (distance > this.#end) throw damaged();
    this.#makeRoom(length);
    const from = this.#end - distance;
    if (distance >= length) this.#bytes.copyWithin(this.#end, from, from + length);
    else for (let at = 0; at < length; at++) this.#bytes[this.#end + at] = this.#bytes[from + at]!;
    this.#end += length;
  }

  written(): Uint8Array {
    return this.#bytes.subarray(this.#start, this.#end);
  }

  #makeRoom(more: number): void {
    const needed = this.#end + more;
    if (needed > this.#limit) throw new RangeError("More was deflated than there may be.");
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

function damaged(): RangeError {
  return new RangeError("Damaged data.");
}
