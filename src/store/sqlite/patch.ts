import { asBuffer, numberAt, type ByteWriter } from "./bytes.ts";

/** No deflate stream begins with this byte: its type of block does not exist. */
export const PATCH_MARK = 0x07;

/** A longer patch is no patch any more: then deflate does better. */
export const MAX_PATCH = 160;

/** Fewer bytes than this are not worth an edit of their own. */
const LEAST_KEPT = 6;

/** So many bytes that are found elsewhere are the same ones, moved, and not just alike. */
const LEAST_MOVED = 24;

/** How much longer or shorter a replaced part may be: digits that became one more, a name for another. */
const SHIFTS = [0, 1, -1, 2, -2, 3, -3, 4, -4];

/** From this length on hex digits are stored as the bytes that they stand for: ids are most of what changes. */
const LEAST_HEX = 16;

/**
 * Writes a few small edits that make `to` out of `from`, in order: keep so many bytes, skip so many, put these in. False
 * when they are not few. Most objects differ from their predecessor by an id and some digits, and edits are made and
 * applied in less time than it takes to set up a compressor.
 */
export function writePatch(
  to: Uint8Array,
  from: Uint8Array,
  patch: ByteWriter,
  { withMoves }: { readonly withMoves: boolean },
): boolean {
  patch.byte(PATCH_MARK);
  for (let [at, fromAt] = [0, 0]; at < to.length || fromAt < from.length;) {
    const start = at;
    while (at < to.length && fromAt < from.length && to[at] === from[fromAt]) {
      at++;
      fromAt++;
    }
    const moved = withMoves ? afterMove(to, from, at, fromAt) : undefined;
    const next = moved ?? afterReplacement(to, from, at, fromAt);
    writeEdit(patch, at - start, next.from - fromAt, to.subarray(at, next.to));
    if (patch.isFull) return false;
    [at, fromAt] = [next.to, next.from];
  }
  return true;
}

/** Makes the bytes that a patch was made for. */
export function applyPatch(patch: Uint8Array, from: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let [at, fromAt] = [1, 0]; at < patch.length;) {
    const keep = numberAt(patch, at);
    const skip = numberAt(patch, keep.next);
    const put = numberAt(patch, skip.next);
    // Not by shifting: in a damaged row the number may be any, and a shift would make it negative.
    const bytes = patch.subarray(put.next, (at = put.next + Math.floor(put.value / 2)));
    parts.push(from.subarray(fromAt, fromAt + keep.value), put.value % 2 === 1 ? hexOf(bytes) : bytes);
    fromAt += keep.value + skip.value;
  }
  return Buffer.concat(parts);
}

interface Places {
  readonly to: number;
  readonly from: number;
}

/** Where both go on alike after something was only taken out or put in, as where a list drops its oldest item. */
function afterMove(to: Uint8Array, from: Uint8Array, at: number, fromAt: number): Places | undefined {
  const [next, former] = [to.subarray(at, at + LEAST_MOVED), from.subarray(fromAt, fromAt + LEAST_MOVED)];
  const takenOut = next.length < LEAST_MOVED ? -1 : asBuffer(from).indexOf(next, fromAt);
  if (takenOut >= 0) return { to: at, from: takenOut };
  const putIn = former.length < LEAST_MOVED ? -1 : asBuffer(to).indexOf(former, at);
  return putIn >= 0 ? { to: putIn, from: fromAt } : undefined;
}

/** The same after a few bytes were replaced by others; the ends of both when they never go on alike. */
function afterReplacement(to: Uint8Array, from: Uint8Array, at: number, fromAt: number): Places {
  for (const shift of SHIFTS) {
    const start = fromAt + shift;
    const most = Math.min(to.length - at, from.length - start, 2 * MAX_PATCH);
    let kept = 0;
    for (let offset = Math.max(0, -shift); offset < most; offset++) {
      kept = to[at + offset] === from[start + offset] ? kept + 1 : 0;
      if (kept === LEAST_KEPT) {
        const before = offset + 1 - kept;
        return { to: at + before, from: start + before };
      }
    }
  }
  return { to: to.length, from: from.length };
}

/** One edit; what it puts in is split where long hex begins and ends. */
function writeEdit(patch: ByteWriter, keep: number, skip: number, put: Uint8Array): void {
  const hex = longHex(put);
  if (keep + skip + hex.start > 0) {
    patch.number(keep);
    patch.number(skip);
    patch.number(hex.start * 2);
    patch.bytes(put.subarray(0, hex.start));
  }
  if (hex.start === put.length || patch.isFull) return;
  patch.number(0);
  patch.number(0);
  patch.number(hex.end - hex.start + 1);
  patch.bytes(Buffer.from(latin1(put.subarray(hex.start, hex.end)), "hex"));
  writeEdit(patch, 0, 0, put.subarray(hex.end));
}

/** The first long run of hex digits, an even number of them; empty and at the end when there is none. */
function longHex(bytes: Uint8Array): { start: number; end: number } {
  for (let start = 0; start + LEAST_HEX <= bytes.length; start++) {
    let end = start;
    while (end < bytes.length && isHex(bytes[end] as number)) end++;
    if (end - start >= LEAST_HEX) return { start, end: end - ((end - start) % 2) };
    start = end;
  }
  return { start: bytes.length, end: bytes.length };
}

const isHex = (byte: number) => (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66);

const hexOf = (bytes: Uint8Array) => Buffer.from(asBuffer(bytes).toString("hex"), "latin1");

const latin1 = (bytes: Uint8Array) => asBuffer(bytes).toString("latin1");
