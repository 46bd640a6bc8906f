import { deflateRawSync, inflateRawSync } from "node:zlib";

/**
 * A row that holds only the words in which an object differs from its base: a status, a number, a hash. Most small objects
 * of a commit are such a change, and comparing words is quicker than starting zstd.
 *
 * A word is what stands between two quotation marks. A patch begins with PATCH_MARK; then, for each word that differs, come
 * how many are kept before it, its length times two, and its bytes. If that number is odd, hex digits are packed in pairs.
 */
export const PATCH_MARK = 0x01;

/** What is longer gets shorter with zstd. */
const LONGEST_PATCH = 256;

/** Undefined when the two differ in more than a few words. */
export function makePatch(base: Uint8Array, bytes: Uint8Array): Uint8Array | undefined {
  if (Math.abs(bytes.length - base.length) > LONGEST_PATCH) return undefined;
  const from = wordsOf(base);
  const to = wordsOf(bytes);
  if (from.length !== to.length) return undefined;
  let patch = String.fromCharCode(PATCH_MARK);
  let kept = 0;
  for (let index = 0; index < to.length; index++) {
    const word = to[index] as string;
    if (word === from[index]) {
      kept++;
      continue;
    }
    const isHex = /^(?:[0-9a-f]{2})+$/.test(word);
    const packed = isHex ? Buffer.from(word, "hex").toString("latin1") : word;
    patch += `${numberText(kept)}${numberText(packed.length * 2 + (isHex ? 1 : 0))}${packed}`;
    kept = 0;
  }
  return patch.length <= LONGEST_PATCH ? Buffer.from(patch, "latin1") : undefined;
}

/** What a patch made of its base; undefined when it is damaged. Some damage gives other bytes, which the check of the id finds. */
export function applyPatch(base: Uint8Array, patch: Uint8Array): Uint8Array | undefined {
  const words = wordsOf(base);
  let at = 1;
  const next = () => {
    const { value, end } = readNumber(patch, at);
    at = end;
    return value;
  };
  for (let word = 0; at < patch.length; word++) {
    word += next();
    const length = next();
    if (word >= words.length || at + (length >>> 1) > patch.length) return undefined;
    const bytes = Buffer.from(patch.subarray(at, (at += length >>> 1)));
    words[word] = bytes.toString(length % 2 === 1 ? "hex" : "latin1");
  }
  return Buffer.from(words.join('"'), "latin1");
}

/** Latin-1, because it gives every byte back as it was. */
function wordsOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1").split('"');
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function numberText(value: number): string {
  return value < 128
    ? String.fromCharCode(value)
    : String.fromCharCode((value & 127) | 128) + numberText(value >>> 7);
}

export function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, end: at + 1 };
  }
}

/**
 * A row for a list that has only got longer: it begins like its base without the closing bracket, so the row holds what
 * follows. Deflated, because zstd takes longer to start, and longer still to digest the base as a dictionary.
 */
export const CONTINUATION_MARK = 0x02;

/** It is about one element, so small tables do. */
const DEFLATE = { chunkSize: 1024, level: 4, memLevel: 5 };

/** Undefined when the object does not begin like that. */
export function makeContinuation(base: Uint8Array, bytes: Uint8Array): Uint8Array | undefined {
  const end = base.length - 1;
  if (end < 0 || bytes.length <= end) return undefined;
  if (Buffer.compare(base.subarray(0, end), bytes.subarray(0, end)) !== 0) return undefined;
  return Buffer.concat([Uint8Array.of(CONTINUATION_MARK), deflateRawSync(bytes.subarray(end), DEFLATE)]);
}

/** Throws when the row is damaged, or returns other bytes, which the check of the id finds. */
export function applyContinuation(base: Uint8Array, row: Uint8Array, maxBytes: number): Uint8Array {
  const rest = inflateRawSync(row.subarray(1), { maxOutputLength: maxBytes });
  return Buffer.concat([base.subarray(0, -1), rest]);
}
