import { FAMILIAR_BITS } from "./familiar-bits.ts";

/** How many bits the filter has: a power of two. */
export const FILTER_BITS: number = 2 ** 16;

/**
 * Whether a character beyond ASCII is one that texts have in this place: letters that follow a letter of their script,
 * syllables, ideographs and symbols by themselves. A filter in the manner of Bloom: it knows all that was put in, and
 * takes a part of everything else for known as well.
 */
export function isFamiliar(before: number, code: number): boolean {
  bits ??= Buffer.from(FAMILIAR_BITS, "base64");
  const place = placeOf(before, code);
  return (bits[place >> 3]! & (1 << (place & 7))) !== 0;
}

// Unpacked when it is needed: most text is ASCII.
let bits: Uint8Array | undefined;

/** The bit of a character after the one before it. */
export function placeOf(before: number, code: number): number {
  const key = before < 0xc0 || standsAlone(code) ? code : Math.imul(before, 0x10001) ^ code;
  const mixed = Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
  return (mixed ^ (mixed >>> 13)) & (FILTER_BITS - 1);
}

/** Symbols, ideographs, syllables and everything beyond the basic plane: what stands before them tells nothing. */
function standsAlone(code: number): boolean {
  return (code >= 0x2000 && code < 0x3040) || (code >= 0x3400 && code < 0xa000) || code >= 0xac00;
}
