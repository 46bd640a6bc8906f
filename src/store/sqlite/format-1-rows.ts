import zlib from "node:zlib";

import { readNumber } from "./patch.ts";

/** How format 1 packed objects: whole ones also deflated, the others as what two texts do not share. */
const ZSTD_MAGIC = 0x28;
const DEFLATE_MARK = 0x01;
const EDITS_MARK = 0x07;

/** How much of the base a deflated change was made with: more where much of it lies between the shared ends. */
const [WINDOW, LARGE_WINDOW, LARGE] = [4 * 1024, 32 * 1024, 1024];

/** The bytes of an object that format 1 stored. Throws, or returns other bytes, when they are damaged. */
export function unpackFormat1(data: Uint8Array, base: Uint8Array | undefined): Uint8Array {
  if (base) return changed(base, data);
  if (data[0] === DEFLATE_MARK) return zlib.inflateRawSync(data.subarray(1));
  return data[0] === ZSTD_MAGIC ? zlib.zstdDecompressSync(data) : data;
}

function changed(base: Uint8Array, change: Uint8Array): Uint8Array {
  const front = readNumber(change, 0);
  const end = readNumber(change, front.end);
  const middle = change.subarray(end.end);
  const between =
    middle[0] === EDITS_MARK
      ? edited(base.subarray(front.value, base.length - end.value), middle)
      : zlib.inflateRawSync(middle, { dictionary: dictionaryAt(base, front.value, end.value) });
  return Buffer.concat([base.subarray(0, front.value), between, base.subarray(base.length - end.value)]);
}

function dictionaryAt(base: Uint8Array, front: number, end: number): Uint8Array {
  const window = base.length - front - end > LARGE ? LARGE_WINDOW : WINDOW;
  const start = Math.max(0, Math.min(front - window / 2, base.length - window));
  return base.subarray(start, start + window);
}

/** Each edit keeps so many bytes, skips so many, and puts some in: as they are, or in hex if the number is odd. */
function edited(from: Uint8Array, edits: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let [at, fromAt] = [1, 0]; at < edits.length;) {
    const keep = readNumber(edits, at);
    const skip = readNumber(edits, keep.end);
    const put = readNumber(edits, skip.end);
    const bytes = Buffer.from(edits.subarray(put.end, (at = put.end + Math.floor(put.value / 2))));
    parts.push(from.subarray(fromAt, fromAt + keep.value));
    parts.push(put.value % 2 === 1 ? Buffer.from(bytes.toString("hex"), "latin1") : bytes);
    fromAt += keep.value + skip.value;
  }
  return Buffer.concat(parts);
}
