/**
 * What an object has instead of parts of its base: edits, in the order of the base. Each keeps so many bytes, skips so
 * many, and puts some in. Most objects of a commit differ from the last ones in a few words (a hash, a number, a status),
 * or are a list that got longer, and comparing them takes a fraction of the time that zstd needs to digest the base.
 */

/** A value in JSON lies between two of these, so that is where edits begin and end. */
const QUOTATION_MARK = 0x22;

/** With more in the middle, zstd finds a shorter form. What is added at the end may be of any length. */
export const MOST_EDITED = 256;

/** The fewest bytes that are compared at a time: for less, one after the other is quicker. */
const SHORTEST_BLOCK = 512;

/** Undefined when the two differ in more than a few words. */
export function makePatch(base: Uint8Array, bytes: Uint8Array): Uint8Array | undefined {
  let edits = "";
  let kept = 0;
  for (let from = 0, to = 0; edits.length <= MOST_EDITED;) {
    const same = countSame(base, from, bytes, to);
    if (to + same === bytes.length && from + same === base.length) return Buffer.from(edits, "latin1");
    const word = Math.max(to, same === 0 ? 0 : bytes.lastIndexOf(QUOTATION_MARK, to + same - 1) + 1);
    from += word - to;
    const [end, endInBase] = [endOfWord(bytes, word), endOfWord(base, from)];
    if (end === bytes.length || endInBase === base.length) {
      edits += numberText(from - kept) + numberText(base.length - from);
      const rest = bytes.subarray(word);
      return Buffer.concat([Buffer.from(edits + numberText(rest.length * 2), "latin1"), rest]);
    }
    edits += numberText(from - kept) + numberText(endInBase - from) + putText(bytes.subarray(word, end));
    [to, from, kept] = [end, endInBase, endInBase];
  }
  return undefined;
}

/** What a patch makes of its base; undefined when it is damaged. Some damage gives other bytes, which the check of the id finds. */
export function applyPatch(base: Uint8Array, patch: Uint8Array): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (let at = 0; at < patch.length;) {
    const keep = readNumber(patch, at);
    const skip = readNumber(patch, keep.end);
    const put = readNumber(patch, skip.end);
    at = put.end + Math.floor(put.value / 2);
    if (at > patch.length || kept + keep.value + skip.value > base.length) return undefined;
    const bytes = Buffer.from(patch.subarray(put.end, at));
    parts.push(base.subarray(kept, kept + keep.value));
    parts.push(put.value % 2 === 1 ? Buffer.from(bytes.toString("hex"), "latin1") : bytes);
    kept += keep.value + skip.value;
  }
  return Buffer.concat([...parts, base.subarray(kept)]);
}

/** How many bytes are the same from there on. In long blocks first, then in shorter ones: most of a long list is as it was. */
function countSame(base: Uint8Array, from: number, bytes: Uint8Array, to: number): number {
  const most = Math.min(base.length - from, bytes.length - to);
  let same = 0;
  for (let block = most; block >= SHORTEST_BLOCK; block >>= 1) {
    if (same + block > most) continue;
    const [a, b] = [from + same, to + same];
    if (Buffer.compare(base.subarray(a, a + block), bytes.subarray(b, b + block)) === 0) same += block;
  }
  while (same < most && base[from + same] === bytes[to + same]) same++;
  return same;
}

function endOfWord(bytes: Uint8Array, start: number): number {
  const end = bytes.indexOf(QUOTATION_MARK, start);
  return end === -1 ? bytes.length : end;
}

/** A word and twice its length; one more if its hex digits are packed in pairs. */
function putText(word: Uint8Array): string {
  const text = Buffer.from(word.buffer, word.byteOffset, word.length).toString("latin1");
  const isHex = /^(?:[0-9a-f]{2})+$/.test(text);
  const packed = isHex ? Buffer.from(text, "hex").toString("latin1") : text;
  return `${numberText(packed.length * 2 + (isHex ? 1 : 0))}${packed}`;
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
