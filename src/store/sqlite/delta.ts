import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Less memory than usual for each: setting it up costs more than compressing such short texts. */
const DEFLATE = { level: 6, memLevel: 5, chunkSize: 4096 };

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
export const MAX_BYTES = 1024 * 1024 * 1024;

/** What deflate can look back at. */
const WINDOW = 32 * 1024;

/**
 * The difference that makes `bytes` out of `base`: how many bytes they share at the front and at the end, and
 * what lies between, deflated with the base's text around that place as dictionary.
 */
export function deltaOf(bytes: Uint8Array, base: Uint8Array): Uint8Array {
  const most = Math.min(bytes.length, base.length);
  let front = 0;
  while (front < most && bytes[front] === base[front]) front++;
  let end = 0;
  while (end < most - front && bytes[bytes.length - 1 - end] === base[base.length - 1 - end]) end++;
  const middle = bytes.subarray(front, bytes.length - end);
  const deflated = deflateRawSync(middle, { ...DEFLATE, dictionary: dictionaryAt(base, front) });
  return Buffer.concat([numberToBytes(front), numberToBytes(end), deflated]);
}

/** The bytes that a delta was made of. Throws, or returns other bytes, when one of the two is damaged. */
export function applyDelta(delta: Uint8Array, base: Uint8Array): Uint8Array {
  const front = numberAt(delta, 0);
  const end = numberAt(delta, front.next);
  const dictionary = dictionaryAt(base, front.value);
  const middle = inflateRawSync(delta.subarray(end.next), { dictionary, maxOutputLength: MAX_BYTES });
  return Buffer.concat([base.subarray(0, front.value), middle, base.subarray(base.length - end.value)]);
}

function dictionaryAt(base: Uint8Array, place: number): Uint8Array {
  const start = Math.max(0, Math.min(place - WINDOW / 2, base.length - WINDOW));
  return base.subarray(start, start + WINDOW);
}

/** Seven bits a byte, the lowest first; the highest bit says that more follow. */
function numberToBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    bytes.push(rest < 128 ? rest : (rest % 128) + 128);
    if (rest < 128) return Uint8Array.from(bytes);
  }
}

function numberAt(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  for (let at = start, factor = 1; ; at++, factor *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, next: at + 1 };
  }
}
