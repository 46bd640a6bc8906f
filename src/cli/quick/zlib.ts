import type * as Zlib from "node:zlib";
import { deflate } from "./deflate.ts";
import { inflate } from "./inflate.ts";

/**
 * Stands for `node:zlib` in the files that start quickly: it takes four milliseconds to load, with the streams that it
 * brings along, which is longer than it takes to do without it for what a small checkpoint reads and writes.
 */
const native = (): typeof Zlib => process.getBuiltinModule("node:zlib");

/** Of Node's many constants the one that is used, which is part of zstd's stable interface. */
export const constants = { ZSTD_c_compressionLevel: 100 } as const;

/**
 * What is shorter is given back as it is, which the store takes for "does not get shorter". It is written whole once,
 * and then read at each start that builds upon it.
 */
const WORTH_COMPRESSING = 16 * 1024;

/** More than this, compressed and before, is faster with Node's own, once it is loaded. */
const FEW = 1024;
const FEW_BEFORE = 4 * 1024;

export const zstdCompressSync = ((bytes: Buffer, options?: Zlib.ZstdOptions) =>
  bytes.length < WORTH_COMPRESSING
    ? bytes
    : native().zstdCompressSync(bytes, options)) as typeof Zlib.zstdCompressSync;

export const zstdDecompressSync = ((data: Uint8Array, options?: Zlib.ZstdOptions) =>
  native().zstdDecompressSync(data, options)) as typeof Zlib.zstdDecompressSync;

export const deflateRawSync = ((data: Uint8Array, options: Zlib.ZlibOptions = {}) => {
  const { dictionary } = options;
  if (dictionary === undefined && data.length < WORTH_COMPRESSING) return data;
  const isShort = data.length <= FEW_BEFORE && (dictionary?.byteLength ?? 0) <= FEW_BEFORE;
  return isShort ? deflate(data, dictionary as Uint8Array) : native().deflateRawSync(data, options);
}) as typeof Zlib.deflateRawSync;

export const inflateRawSync = ((data: Uint8Array, options: Zlib.ZlibOptions = {}) => {
  if (data.length > FEW) return native().inflateRawSync(data, options);
  const { dictionary = new Uint8Array(), maxOutputLength = Number.MAX_SAFE_INTEGER } = options;
  return inflate(data, dictionary as Uint8Array, maxOutputLength);
}) as typeof Zlib.inflateRawSync;
