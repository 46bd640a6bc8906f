import { deflateRawSync, inflateRawSync } from "node:zlib";

import { ByteWriter, numberAt } from "./bytes.ts";
import { applyPatch, PATCH_MARK, patchOf } from "./patch.ts";

/** Less memory than usual for each: setting it up costs more than compressing such short texts. */
const DEFLATE = { level: 6, memLevel: 5, chunkSize: 4096 };

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
export const MAX_BYTES = 1024 * 1024 * 1024;

/** How much of the base deflate may look back at: reading more of it in takes longer than it saves. */
const WINDOW = 4 * 1024;

/** What is longer than this is deflated without trying a patch. */
const PATCHABLE = 1024;

/**
 * The difference that makes `bytes` out of `base`: how many bytes they share at the front and at the end, and what
 * lies between: a few edits, or deflated with the base's text around that place as dictionary.
 */
export function deltaOf(bytes: Uint8Array, base: Uint8Array): Uint8Array {
  const most = Math.min(bytes.length, base.length);
  let front = 0;
  while (front < most && bytes[front] === base[front]) front++;
  let end = 0;
  while (end < most - front && bytes[bytes.length - 1 - end] === base[base.length - 1 - end]) end++;
  const middle = bytes.subarray(front, bytes.length - end);
  const ends = new ByteWriter(16);
  ends.number(front);
  ends.number(end);
  return Buffer.concat([ends.written(), changeOf(middle, base, front, end)]);
}

function changeOf(middle: Uint8Array, base: Uint8Array, front: number, end: number): Uint8Array {
  const patch =
    middle.length <= PATCHABLE ? patchOf(middle, base.subarray(front, base.length - end)) : undefined;
  return patch ?? deflateRawSync(middle, { ...DEFLATE, dictionary: dictionaryAt(base, front) });
}

/** The bytes that a delta was made of. Throws, or returns other bytes, when one of the two is damaged. */
export function applyDelta(delta: Uint8Array, base: Uint8Array): Uint8Array {
  const front = numberAt(delta, 0);
  const end = numberAt(delta, front.next);
  const [first, last] = [base.subarray(0, front.value), base.subarray(base.length - end.value)];
  return Buffer.concat([first, middleOf(delta.subarray(end.next), base, front.value, end.value), last]);
}

function middleOf(change: Uint8Array, base: Uint8Array, front: number, end: number): Uint8Array {
  if (change[0] === PATCH_MARK) return applyPatch(change, base.subarray(front, base.length - end));
  return inflateRawSync(change, { dictionary: dictionaryAt(base, front), maxOutputLength: MAX_BYTES });
}

function dictionaryAt(base: Uint8Array, place: number): Uint8Array {
  const start = Math.max(0, Math.min(place - WINDOW / 2, base.length - WINDOW));
  return base.subarray(start, start + WINDOW);
}
