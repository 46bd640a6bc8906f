import zlib from "node:zlib";

import { applyPatch, makePatch, MOST_EDITED } from "./patch.ts";

// Not imported by name: an older Node, which is refused in words, has none of them.
const { constants, deflateRawSync, inflateRawSync, zstdCompressSync, zstdDecompressSync } = zlib;

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

/** Levels of zstd: high for whole objects, which stay for long, and for a server, medium for large ones, low in a hurry. */
const [THOROUGH, QUICK, WITH_DICTIONARY] = [6, 3, 1];
const LARGE = 64 * 1024;

/** A zstd frame begins with this byte, and no object does. */
const ZSTD_MAGIC = 0x28;

/** What a row begins with that is a patch of its base. */
const PATCH_MARK = 0x01;

/** How a long patch is compressed: what its row begins with, and how much of the end of its base is the dictionary. */
interface PatchForm {
  readonly mark: number;
  readonly level: number;
  readonly dictionaryBytes: number;
}
const QUICKLY: PatchForm = { mark: 0x02, level: WITH_DICTIONARY, dictionaryBytes: 1024 };
const TIGHTLY: PatchForm = { mark: 0x03, level: THOROUGH, dictionaryBytes: 4096 };

/** Deflate, which needs less memory to start, takes half as long as zstd for a patch with a long dictionary, and what comes out is shorter. */
const DEFLATE = { windowBits: 13, memLevel: 6 };

/** Nothing that was stored is larger; a damaged row must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A short form to store, quickly found. */
export function pack<Ref>(bytes: Uint8Array, base?: Base<Ref>): PackedObject<Ref> {
  return packAs(QUICKLY, bytes, base);
}

/** A shorter form, for a store on a server, which is slower anyway. */
export function packTightly<Ref>(bytes: Uint8Array, base?: Base<Ref>): PackedObject<Ref> {
  return packAs(TIGHTLY, bytes, base);
}

function packAs<Ref>(form: PatchForm, bytes: Uint8Array, base: Base<Ref> | undefined): PackedObject<Ref> {
  if (base) {
    const patch = makePatch(base.bytes, bytes);
    const data = patch ? packPatch(patch, base.bytes, form) : compressed(bytes, form.level, base.bytes);
    // A change of half the object's size or more is not worth a link in the chain.
    if (data.length * 2 < bytes.length) return { data, base: base.ref };
  }
  if (bytes.length < WORTH_COMPRESSING) return { data: bytes, base: undefined };
  const data = compressed(bytes, bytes.length > LARGE ? QUICK : THOROUGH);
  return { data: data.length < bytes.length ? data : bytes, base: undefined };
}

/** A short patch is hashes and numbers, which do not get shorter. */
function packPatch(patch: Uint8Array, base: Uint8Array, form: PatchForm): Uint8Array {
  if (patch.length <= MOST_EDITED) return Buffer.concat([Uint8Array.of(PATCH_MARK), patch]);
  const dictionary = base.subarray(-form.dictionaryBytes);
  const data =
    form === TIGHTLY
      ? deflateRawSync(patch, { ...DEFLATE, chunkSize: roomFor(patch), dictionary })
      : compressed(patch, form.level, dictionary);
  return Buffer.concat([Uint8Array.of(form.mark), data]);
}

function compressed(bytes: Uint8Array, level: number, dictionary?: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: level };
  return zstdCompressSync(bytes, { params, chunkSize: roomFor(bytes), ...(dictionary && { dictionary }) });
}

/** Room for about what comes out: the default is many times that. */
const roomFor = (bytes: Uint8Array) => Math.max(1024, bytes.length >> 2);

/** Undefined when the data is damaged beyond reading; other damage shows when the id is checked. */
export function unpack(data: Uint8Array, base?: Uint8Array): Uint8Array | undefined {
  try {
    if (base === undefined) return data[0] === ZSTD_MAGIC ? decompressed(data) : data;
    if (data[0] === PATCH_MARK) return applyPatch(base, data.subarray(1));
    const form = [QUICKLY, TIGHTLY].find(({ mark }) => data[0] === mark);
    if (form) return applyPatch(base, decompressedPatch(data.subarray(1), base, form));
    return decompressed(data, base);
  } catch {
    return undefined;
  }
}

function decompressedPatch(data: Uint8Array, base: Uint8Array, form: PatchForm): Uint8Array {
  const dictionary = base.subarray(-form.dictionaryBytes);
  if (form === TIGHTLY) return inflateRawSync(data, { maxOutputLength: MAX_BYTES, dictionary });
  return decompressed(data, dictionary);
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
