import { deflateRawSync, inflateRawSync } from "node:zlib";

import { asBuffer, ByteWriter, numberAt } from "./bytes.ts";
import { applyPatch, MAX_PATCH, PATCH_MARK, writePatch } from "./patch.ts";

/** Less memory than usual for each: setting it up costs more than compressing such short texts. */
const DEFLATE = { level: 5, memLevel: 4, chunkSize: 1024 };

/** How far deflate looks back, as a power of two: for what is short no further than the dictionary reaches. */
const [SHORT_REACH, FULL_REACH] = [13, 15];
const SHORT = 3 * 1024;

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
export const MAX_BYTES = 1024 * 1024 * 1024;

/**
 * How much of the base deflate may look back at. Where something was only added, reading in more of it takes longer
 * than it saves; where much of the base lies between the shared ends, most of that will be found again.
 */
const [WINDOW, LARGE_WINDOW] = [4 * 1024, 32 * 1024];
const LARGE = 1024;

/** What is longer than this is deflated without trying a patch. */
const PATCHABLE = 4 * 1024;

/** How many bytes are compared at once while two objects are still the same: most are the same for long. */
const BLOCKS = [4096, 256];

const writer = new ByteWriter(MAX_PATCH + 16);

/**
 * The difference that makes `bytes` out of `base`: how many bytes they share at the front and at the end, and what
 * lies between: a few edits, or deflated with the base's text around that place as dictionary.
 */
export function deltaOf(bytes: Uint8Array, base: Uint8Array): Uint8Array {
  const [one, other] = [asBuffer(bytes), asBuffer(base)];
  const front = sharedFront(one, other);
  const end = sharedEnd(one, other, Math.min(one.length, other.length) - front);
  const middle = one.subarray(front, one.length - end);
  const former = other.subarray(front, other.length - end);
  // What has so much more than before would not fit into a patch. Moves are looked for second, because it takes longer.
  const mayFit = middle.length <= PATCHABLE && middle.length - former.length <= MAX_PATCH;
  for (const withMoves of mayFit ? [false, true] : []) {
    writeEnds(front, end);
    if (writePatch(middle, former, writer, { withMoves })) return writer.written();
  }
  writeEnds(front, end);
  const windowBits = middle.length <= SHORT ? SHORT_REACH : FULL_REACH;
  const dictionary = dictionaryAt(other, front, end);
  return Buffer.concat([writer.written(), deflateRawSync(middle, { ...DEFLATE, windowBits, dictionary })]);
}

function writeEnds(front: number, end: number): void {
  writer.clear();
  writer.number(front);
  writer.number(end);
}

function sharedFront(one: Buffer, other: Buffer): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  for (const block of BLOCKS) {
    for (let next = shared + block; next <= most; next += block) {
      if (one.compare(other, shared, next, shared, next) !== 0) break;
      shared = next;
    }
  }
  while (shared < most && one[shared] === other[shared]) shared++;
  return shared;
}

function sharedEnd(one: Buffer, other: Buffer, most: number): number {
  let shared = 0;
  for (const block of BLOCKS) {
    for (let next = shared + block; next <= most; next += block) {
      const [end, otherEnd] = [one.length - shared, other.length - shared];
      if (one.compare(other, otherEnd - block, otherEnd, end - block, end) !== 0) break;
      shared = next;
    }
  }
  while (shared < most && one[one.length - 1 - shared] === other[other.length - 1 - shared]) shared++;
  return shared;
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
  return inflateRawSync(change, { dictionary: dictionaryAt(base, front, end), maxOutputLength: MAX_BYTES });
}

function dictionaryAt(base: Uint8Array, front: number, end: number): Uint8Array {
  const window = base.length - front - end > LARGE ? LARGE_WINDOW : WINDOW;
  const start = Math.max(0, Math.min(front - window / 2, base.length - window));
  return base.subarray(start, start + window);
}
