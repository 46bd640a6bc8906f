import { DISTANCES, END_OF_BLOCK, LENGTHS, LONGEST } from "./inflate.ts";

/** Shorter repetitions save nothing. */
const SHORTEST = 4;
/** How many earlier places with the same beginning are looked at. */
const TRIES = 16;
const HASH_BITS = 12;
const HASH_SHIFT = 32 - HASH_BITS;
const HASH_FACTOR = 0x9e3779b1;

/**
 * Deflates a few bytes (RFC 1951), as one block with the code that needs no description. What they repeat of the
 * dictionary, or of themselves, is written as where it stands: for changes of short objects that is nearly as short as
 * with a code of their own, and it is read faster. Both together are not longer than the 32 KiB that deflate looks back.
 */
export function deflate(data: Uint8Array, dictionary: Uint8Array): Uint8Array {
  const all = new Uint8Array(dictionary.length + data.length);
  all.set(dictionary);
  all.set(data, dictionary.length);
  const places = new Places(all);
  const out = new BitWriter(data.length * 2 + 16);
  out.write(1, 1);
  out.write(1, 2);
  places.addUntil(dictionary.length);
  for (let at = dictionary.length; at < all.length;) {
    const { length, distance } = places.longestRepetition(at);
    if (length < SHORTEST) out.symbol(all[at] as number);
    else {
      writeLength(out, length);
      writeDistance(out, distance);
    }
    at += length < SHORTEST ? 1 : length;
    places.addUntil(at);
  }
  out.symbol(END_OF_BLOCK);
  return out.written();
}

function writeLength(out: BitWriter, length: number): void {
  if (length === LONGEST) return out.symbol(285);
  const step = LENGTHS.from.findLastIndex((from) => from <= length);
  out.symbol(257 + step);
  out.write(length - (LENGTHS.from[step] as number), LENGTHS.extra[step] as number);
}

function writeDistance(out: BitWriter, distance: number): void {
  const step = DISTANCES.from.findLastIndex((from) => from <= distance);
  out.code(step, 5);
  out.write(distance - (DISTANCES.from[step] as number), DISTANCES.extra[step] as number);
}

/** Where the same four bytes stood before, the nearest first. */
class Places {
  readonly #bytes: Uint8Array;
  readonly #newest = new Int32Array(1 << HASH_BITS).fill(-1);
  readonly #before: Int32Array;
  #next = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#before = new Int32Array(bytes.length);
  }

  addUntil(end: number): void {
    // In variables, and without calls: most of it runs before V8 has optimized anything.
    const [bytes, newest, before] = [this.#bytes, this.#newest, this.#before];
    const last = Math.min(end, bytes.length - SHORTEST + 1);
    for (let at = this.#next; at < last; at++) {
      const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      const hash = Math.imul(four, HASH_FACTOR) >>> HASH_SHIFT;
      before[at] = newest[hash]!;
      newest[hash] = at;
    }
    this.#next = Math.max(this.#next, last);
  }

  longestRepetition(at: number): { length: number; distance: number } {
    const bytes = this.#bytes;
    const most = Math.min(LONGEST, bytes.length - at);
    let [length, distance] = [0, 0];
    if (most < SHORTEST) return { length, distance };
    let place = this.#newest[this.#hash(at)]!;
    for (let tries = 0; place >= 0 && tries < TRIES && length < most; tries++) {
      let same = 0;
      while (same < most && bytes[place + same] === bytes[at + same]) same++;
      if (same > length) [length, distance] = [same, at - place];
      place = this.#before[place]!;
    }
    return { length, distance };
  }

  #hash(at: number): number {
    const bytes = this.#bytes;
    const four = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    return Math.imul(four, HASH_FACTOR) >>> HASH_SHIFT;
  }
}

/** Writes bits, the lowest of each byte first. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #length = 0;
  #held = 0;
  #count = 0;

  constructor(limit: number) {
    this.#bytes = new Uint8Array(limit);
  }

  /** A number, its lowest bit first. */
  write(value: number, bits: number): void {
    this.#held |= value << this.#count;
    this.#count += bits;
    for (; this.#count >= 8; this.#count -= 8) {
      this.#bytes[this.#length++] = this.#held & 0xff;
      this.#held >>>= 8;
    }
  }

  /** A Huffman code, its highest bit first. */
  code(value: number, bits: number): void {
    let reversed = 0;
    for (let bit = 0; bit < bits; bit++) reversed |= ((value >>> bit) & 1) << (bits - 1 - bit);
    this.write(reversed, bits);
  }

  /** A byte, the end or a length in the fixed code: RFC 1951, 3.2.6. */
  symbol(symbol: number): void {
    if (symbol < 144) this.code(0x30 + symbol, 8);
    else if (symbol < 256) this.code(0x190 + symbol - 144, 9);
    else if (symbol < 280) this.code(symbol - 256, 7);
    else this.code(0xc0 + symbol - 280, 8);
  }

  written(): Uint8Array {
    const isWhole = this.#count === 0;
    if (!isWhole) this.#bytes[this.#length] = this.#held & 0xff;
    return this.#bytes.subarray(0, this.#length + (isWhole ? 0 : 1));
  }
}
