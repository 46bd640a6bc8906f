import type * as Zlib from "node:zlib";
import { inflate } from "./inflate.ts";

/**
 * Stands for `node:zlib` in the files that start quickly: it takes four milliseconds to load, with the streams that it
 * brings along, and what a small checkpoint reads and writes is not compressed.
 */
const native = (): typeof Zlib => process.getBuiltinModule("node:zlib");

/** Of Node's many constants the one that is used, which is part of zstd's stable interface. */
export const constants = { ZSTD_c_compressionLevel: 100 } as const;

/** Little is saved on what is shorter: it is given back as it is, which the store takes for "does not get shorter". */
const WORTH_COMPRESSING = 1024;

export const zstdCompressSync = ((bytes: Buffer, options?: Zlib.ZstdOptions) =>
  bytes.length < WORTH_COMPRESSING
    ? bytes
    : native().zstdCompressSync(bytes, options)) as typeof Zlib.zstdCompressSync;

export const zstdDecompressSync: typeof Zlib.zstdDecompressSync = (...args) =>
  native().zstdDecompressSync(...args);
export const deflateRawSync: typeof Zlib.deflateRawSync = (...args) => native().deflateRawSync(...args);

/** More than this is inflated faster by Node's own, once it is loaded. */
const FEW = 1024;

export const inflateRawSync = ((data: Uint8Array, options: Zlib.ZlibOptions = {}) => {
  if (data.length > FEW) return native().inflateRawSync(data, options);
  const { dictionary = new Uint8Array(), maxOutputLength = Number.MAX_SAFE_INTEGER } = options;
  return inflate(data, dictionary as Uint8Array, maxOutputLength);
}) as typeof Zlib.inflateRawSync;
