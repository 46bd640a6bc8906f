import zlib from "node:zlib";

import { isRaw } from "../objects/object-format.ts";
import type { ObjectId } from "../objects/object-id.ts";
import { applyPatch, makePatch, MOST_EDITED } from "./patch.ts";
import { Recent } from "./recent.ts";

// Not imported by name: an older Node, which is refused in words, has none of them.
const { constants, inflateRawSync, zstdCompressSync, zstdDecompressSync } = zlib;

/** An object that another one may be stored as a change of. How a store refers to it is its own business. */
export interface Base<Ref> {
  readonly ref: Ref;
  readonly bytes: Uint8Array;
}

/** An object's bytes as they are stored: whole, or as a change of the object `base`. */
export interface PackedObject<Ref> {
  readonly data: Uint8Array;
  readonly base: Ref | undefined;
}

/** A longer chain would make reading slower: then the change is taken from the chain's first object instead. */
export const MAX_CHAIN = 32;

/** Shorter bytes do not get shorter. */
const WORTH_COMPRESSING = 100;

/** Levels of zstd: high for whole objects, which stay for long, medium for large ones, low in a hurry. */
const [THOROUGH, QUICK, WITH_DICTIONARY] = [6, 3, 1];
const LARGE = 64 * 1024;

/** A zstd frame begins with this byte, and no object does. */
const ZSTD_MAGIC = 0x28;

/** What a row begins with that is a patch of its base. */
const PATCH_MARK = 0x01;

/** What the row of a long patch begins with, and how much of the end of its base is the dictionary. */
const LONG_PATCH_MARK = 0x02;
const DICTIONARY_BYTES = 1024;

/** Stores on PostgreSQL have rows of long patches that were deflated instead. They are read, and written no more. */
export const DEFLATED_MARK = 0x03;
const DEFLATED_DICTIONARY_BYTES = 4096;

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A short form to store, quickly found. */
export function pack<Ref>(bytes: Uint8Array, base?: Base<Ref>): PackedObject<Ref> {
  if (base) {
    const data = changeOf(base.bytes, bytes);
    // A change of half the object's size or more is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.ref };
  }
  if (bytes.length < WORTH_COMPRESSING) return { data: bytes, base: undefined };
  const data = compressed(bytes, bytes.length > LARGE ? QUICK : THOROUGH);
  return { data: data.length < bytes.length ? data : bytes, base: undefined };
}

/**
 * Edits of a file are found by zstd alone: a patch ends at quotation marks, as values of JSON do. For 1,000 edits of
 * one line in 100 files a higher level took 3.0 MB where the one for JSON took 12.
 */
function changeOf(base: Uint8Array, bytes: Uint8Array): Uint8Array {
  if (isRaw(bytes)) return compressed(bytes, QUICK, base);
  const patch = makePatch(base, bytes);
  return patch ? packPatch(patch, base) : compressed(bytes, WITH_DICTIONARY, base);
}

/** A short patch is hashes and numbers, which do not get shorter. */
function packPatch(patch: Uint8Array, base: Uint8Array): Uint8Array {
  if (patch.length <= MOST_EDITED) return Buffer.concat([Uint8Array.of(PATCH_MARK), patch]);
  const data = compressed(patch, WITH_DICTIONARY, base.subarray(-DICTIONARY_BYTES));
  return Buffer.concat([Uint8Array.of(LONG_PATCH_MARK), data]);
}

function compressed(bytes: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  // Room for about what comes out: the default is many times that.
  const chunkSize = Math.max(1024, bytes.length >> 2);
  return zstdCompressSync(bytes, { params, chunkSize, ...(dictionary && { dictionary }) });
}

/** Undefined when the data is damaged beyond reading; other damage shows when the id is checked. */
export function unpack(data: Uint8Array, base?: Uint8Array): Uint8Array | undefined {
  try {
    if (base === undefined) return data[0] === ZSTD_MAGIC ? decompressed(data) : data;
    const rest = data.subarray(1);
    if (data[0] === PATCH_MARK) return applyPatch(base, rest);
    if (data[0] === LONG_PATCH_MARK)
      return applyPatch(base, decompressed(rest, base.subarray(-DICTIONARY_BYTES)));
    if (data[0] === DEFLATED_MARK) return applyPatch(base, inflated(rest, base));
    return decompressed(data, base);
  } catch {
    return undefined;
  }
}

function inflated(data: Uint8Array, base: Uint8Array): Uint8Array {
  const dictionary = base.subarray(-DEFLATED_DICTIONARY_BYTES);
  return inflateRawSync(data, { maxOutputLength: MAX_BYTES, dictionary });
}

function decompressed(data: Uint8Array, dictionary?: Uint8Array): Uint8Array {
  // Just the room that is needed, as the result keeps all that it was given: the default is many times that. One byte
  // more, or zlib would ask for a second piece.
  const chunkSize = Math.min(Math.max(1024, contentSize(data) + 1), MAX_BYTES);
  return zstdDecompressSync(data, {
    chunkSize,
    maxOutputLength: MAX_BYTES,
    ...(dictionary && { dictionary }),
  });
}

/** How large the content of a zstd frame is (RFC 8878, 3.1.1.1); what was compressed at once says so. */
function contentSize(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const descriptor = view.getUint8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingleSegment ? 0 : 1) + ([0, 1, 2, 4][descriptor & 3] as number);
  const kind = descriptor >> 6;
  if (kind === 0) return isSingleSegment ? view.getUint8(at) : frame.length * 4;
  if (kind === 1) return view.getUint16(at, true) + 256;
  return kind === 2 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

/** How many bytes of objects are remembered that the next ones may be compressed against. They must never change again. */
const MAX_BASE_BYTES = 8 * 1024 * 1024;

export function recentBases<Base extends { readonly bytes: Uint8Array }>(): Recent<ObjectId, Base> {
  return new Recent(MAX_BASE_BYTES, ({ bytes }) => bytes.length);
}
