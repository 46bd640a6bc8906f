import zlib from "node:zlib";

import {
  applyContinuation,
  applyPatch,
  CONTINUATION_MARK,
  makeContinuation,
  makePatch,
  PATCH_MARK,
} from "./patch.ts";

// Not imported by name: an older Node, which is refused in words, has none of them.
const { constants, zstdCompressSync, zstdDecompressSync } = zlib;

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

/** Levels of zstd: high for whole objects, which stay for long, medium for large ones, low with a dictionary. */
const [THOROUGH, QUICK, WITH_DICTIONARY] = [6, 3, 1];
const LARGE = 64 * 1024;

/** A zstd frame begins with this byte, and no object does. */
const ZSTD_MAGIC = 0x28;

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** The shortest form to store. */
export function pack<Ref>(bytes: Uint8Array, base?: Base<Ref>): PackedObject<Ref> {
  if (base) {
    const data =
      makeContinuation(base.bytes, bytes) ??
      makePatch(base.bytes, bytes) ??
      compressed(bytes, WITH_DICTIONARY, base.bytes);
    // A change of half the object's size or more is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.ref };
  }
  if (bytes.length < WORTH_COMPRESSING) return { data: bytes, base: undefined };
  const data = compressed(bytes, bytes.length > LARGE ? QUICK : THOROUGH);
  return { data: data.length < bytes.length ? data : bytes, base: undefined };
}

function compressed(bytes: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  // Room for about what comes out: the default is many times that.
  const chunkSize = Math.max(1024, bytes.length >> 2);
  return zstdCompressSync(bytes, { params, chunkSize, ...(dictionary && { dictionary }) });
}

/** Undefined when the data is damaged beyond reading; other damage shows when the id is checked. */
export function unpack(data: Uint8Array, base?: Uint8Array): Uint8Array | undefined {
  if (base === undefined && data[0] !== ZSTD_MAGIC) return data;
  if (base && data[0] === PATCH_MARK) return applyPatch(base, data);
  try {
    if (base && data[0] === CONTINUATION_MARK) return applyContinuation(base, data, MAX_BYTES);
    // About as much room as is needed: the default is many times that, and costs more than decompressing.
    const chunkSize = Math.max(1024, base ? base.length + 1024 : data.length * 4);
    return zstdDecompressSync(data, {
      chunkSize,
      maxOutputLength: MAX_BYTES,
      ...(base && { dictionary: base }),
    });
  } catch {
    return undefined;
  }
}
