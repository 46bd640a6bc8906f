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
  const parts: Uint8Array[] = [Uint8Array.of(PATCH_MARK)];
  let kept = 0;
  for (const [index, word] of to.entries()) {
    if (word === from[index]) {
      kept++;
      continue;
    }
    const isHex = /^(?:[0-9a-f]{2})+$/.test(word);
    const packed = Buffer.from(word, isHex ? "hex" : "latin1");
    parts.push(numberBytes(kept), numberBytes(packed.length * 2 + (isHex ? 1 : 0)), packed);
    kept = 0;
  }
  const patch = Buffer.concat(parts);
  return patch.length <= LONGEST_PATCH ? patch : undefined;
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
function numberBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}

export function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, end: at + 1 };
  }
}
