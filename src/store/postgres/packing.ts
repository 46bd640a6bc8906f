import zlib from "node:zlib";

import type { ObjectId } from "../../objects/object-id.ts";

// Not imported by name: an older Node, which is refused in words, has none of them.
const { constants, zstdCompressSync, zstdDecompressSync } = zlib;

/** An object as a row holds it: whole, or compressed with the object `base` as its dictionary. */
export interface PackedObject {
  readonly data: Uint8Array;
  readonly base: ObjectId | undefined;
  /** How many others must be read to rebuild it. */
  readonly depth: number;
}

/** An object that another one may be compressed against. */
export interface Base {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  readonly depth: number;
  /** The whole object that its chain begins with; absent when it is whole itself. */
  readonly start?: Base | undefined;
}

/** A longer chain would make reading slower. */
const MAX_CHAIN = 32;

/** Shorter bytes do not get shorter. */
const WORTH_COMPRESSING = 100;

/** Levels of zstd: high for whole objects, which stay for long, low with a dictionary. */
const [WHOLE, WITH_DICTIONARY] = [3, 1];

/** A zstd frame begins with this byte, and no object does. */
const ZSTD_MAGIC = 0x28;

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** The shortest form to store. A chain that is full goes on from its first object. */
export function pack(bytes: Uint8Array, predecessor?: Base): PackedObject {
  const base = predecessor && predecessor.depth >= MAX_CHAIN ? predecessor.start : predecessor;
  if (base) {
    const data = compressed(bytes, WITH_DICTIONARY, base.bytes);
    // A change of half the object's size or more is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.id, depth: base.depth + 1 };
  }
  const whole = bytes.length < WORTH_COMPRESSING ? bytes : compressed(bytes, WHOLE);
  return { data: whole.length < bytes.length ? whole : bytes, base: undefined, depth: 0 };
}

/** Undefined when the data is damaged beyond reading; other damage shows when the id is checked. */
export function unpack(data: Uint8Array, base?: Uint8Array): Uint8Array | undefined {
  if (base === undefined && data[0] !== ZSTD_MAGIC) return data;
  try {
    return zstdDecompressSync(data, { maxOutputLength: MAX_BYTES, ...(base && { dictionary: base }) });
  } catch {
    return undefined;
  }
}

function compressed(bytes: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(bytes, { params, ...(dictionary && { dictionary }) });
}
