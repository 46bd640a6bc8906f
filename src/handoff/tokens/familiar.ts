import { FAMILIAR_BITS } from "./familiar-bits.ts";

/** How many bits the filter has: a power of two. */
export const FILTER_BITS: number = 2 ** 16;

/**
 * Whether a character beyond ASCII is common in this place: a letter after a letter of its script; syllables,
 * ideographs and symbols by themselves. A Bloom filter: no false negatives, some false positives.
 */
export function isFamiliar(before: number, code: number): boolean {
  bits ??= Buffer.from(FAMILIAR_BITS, "base64");
  const bit = bitOf(before, code);
  return (bits[bit >> 3]! & (1 << (bit & 7))) !== 0;
}

// Unpacked on first use: most text is ASCII.
let bits: Uint8Array | undefined;

/** The bit of a character after the one before it. */
export function bitOf(before: number, code: number): number {
  const key = before < 0xc0 || standsAlone(code) ? code : Math.imul(before, 0x10001) ^ code;
  const mixed = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & (FILTER_BITS - 1);
}

/** Symbols, ideographs, syllables and everything beyond the basic plane: the character before does not matter. */
function standsAlone(code: number): boolean {
  return (code >= 0x2000 && code < 0x3040) || (code >= 0x3400 && code < 0xa000) || code >= 0xac00;
}
