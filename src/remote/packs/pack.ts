import zlib from "node:zlib";

import { isObjectId, objectIdOf, type ObjectId } from "../../objects/object-id.ts";
import { damagedPack } from "../damaged-pack.ts";

/** An object in a pack. `like` is one with similar bytes: a store may keep the difference. */
interface PackedObject {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  readonly like?: ObjectId | undefined;
}

/** A checkpoint in a pack, with the objects that it brought and what is attached to it. */
export interface PackedCheckpoint {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  /** Children before parents. */
  readonly objects: readonly PackedObject[];
  readonly foreignId?: string | undefined;
  readonly records?: ReadonlyMap<string, Uint8Array> | undefined;
}

/** An object that the reader has before it opens the pack, because an earlier checkpoint brought it. */
export type Base = Pick<PackedObject, "id" | "bytes">;

const FORMAT = "cairn-pack-1";

/** More would not be looked at: zstd finds matches within its window. */
const MAX_BASE_BYTES = 1024 * 1024;

/** A pack holds less than this before it is compressed; a hostile one must not fill the memory. */
const MAX_RAW_BYTES = 512 * 1024 * 1024;

const LEVEL = 6;
const LINE_FEED = 10;

/**
 * A series of checkpoints as one piece of bytes. A first line in plain text names the objects that zstd took for its
 * dictionary: a checkpoint whose state grew by a sentence costs that sentence. The names of objects are not in it,
 * because the reader computes them: bytes that were changed have other names, and then nothing refers to them.
 */
export function encodePack(checkpoints: readonly PackedCheckpoint[], bases: readonly Base[]): Uint8Array {
  const used = withinLimit(bases);
  const brought = new Set(checkpoints.flatMap(({ objects }) => objects.map(({ id }) => id)));
  const index = checkpoints.map(({ bytes, objects, foreignId, records }) => ({
    length: bytes.length,
    objects: objects.map(({ bytes: { length }, like }) =>
      like === undefined ? [length] : [length, place(like)],
    ),
    ...(foreignId !== undefined && { foreignId }),
    ...(records?.size && { records: [...records].map(([key, value]) => [key, toBase64(value)]) }),
  }));
  /** Objects of this pack are found by their hash anyway; others are named only where they are in the dictionary. */
  function place(like: ObjectId): string {
    return brought.has(like) || used.some(({ id }) => id === like) ? like.slice(0, LIKE_DIGITS) : "";
  }
  const parts = checkpoints.flatMap(({ bytes, objects }) => [
    ...objects.map((object) => object.bytes),
    bytes,
  ]);
  const raw = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]);
  const header = Buffer.from(`${JSON.stringify([FORMAT, ...used.map(({ id }) => id)])}\n`);
  return Buffer.concat([header, compress(raw, used)]);
}

/** Enough of a hash to find an object of the same pack again. */
const LIKE_DIGITS = 8;

/** The objects that a pack was made from, and that must be read before it can be opened. */
export function basesOf(pack: Uint8Array): ObjectId[] {
  const [format, ...bases] = parseLine(pack.subarray(0, endOfLine(pack)));
  if (format !== FORMAT || !bases.every(isObjectId)) throw damagedPack("is of an unknown format");
  return bases;
}

/** Takes a pack apart. Every id is computed from the bytes; whether they are the right ones, the heads tell. */
export function decodePack(pack: Uint8Array, bases: readonly Base[]): PackedCheckpoint[] {
  const raw = decompress(pack.subarray(endOfLine(pack) + 1), bases);
  const end = endOfLine(raw);
  const take = cutter(raw, end + 1);
  const known = new Map<string, ObjectId>(bases.map(({ id }) => [id.slice(0, LIKE_DIGITS), id]));
  const checkpoints = parseLine(raw.subarray(0, end)).map((entry): PackedCheckpoint => {
    const { length, objects, foreignId, records } = checkEntry(entry);
    const brought = objects.map(([size, like]): PackedObject => {
      const bytes = take(size);
      const id = objectIdOf(bytes);
      const found = like === undefined ? undefined : known.get(like);
      known.set(id.slice(0, LIKE_DIGITS), id);
      return { id, bytes, like: found };
    });
    const bytes = take(length);
    const attached = records && new Map(records.map(([key, value]) => [key, Buffer.from(value, "base64")]));
    return { id: objectIdOf(bytes), bytes, objects: brought, foreignId, records: attached };
  });
  if (take(0) !== END) throw damagedPack("holds more than it lists");
  return checkpoints;
}

interface Entry {
  readonly length: number;
  readonly objects: readonly (readonly [length: number, like?: string])[];
  readonly foreignId?: string;
  readonly records?: readonly (readonly [key: string, base64: string])[];
}

function checkEntry(entry: unknown): Entry {
  const { length, objects, foreignId, records } = (entry ?? {}) as Partial<Entry>;
  const isSound =
    isLength(length) &&
    Array.isArray(objects) &&
    objects.every((object: unknown) => Array.isArray(object) && isLength(object[0])) &&
    (foreignId === undefined || typeof foreignId === "string") &&
    (records === undefined || (Array.isArray(records) && records.every(isPairOfTexts)));
  if (!isSound) throw damagedPack("has a broken list of contents");
  return entry as Entry;
}

const isLength = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const isPairOfTexts = (pair: unknown) =>
  Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string");

const END = new Uint8Array(0);

/** Cuts one piece after the other. Asked for nothing, it tells by `END` whether everything was taken. */
function cutter(raw: Uint8Array, start: number): (length: number) => Uint8Array {
  let at = start;
  return (length) => {
    if (length === 0 && at === raw.length) return END;
    if (at + length > raw.length) throw damagedPack("is shorter than it says");
    const piece = raw.subarray(at, at + length);
    at += length;
    return piece;
  };
}

function withinLimit(bases: readonly Base[]): Base[] {
  let size = 0;
  return bases.filter(({ bytes }) => {
    if (size + bytes.length > MAX_BASE_BYTES) return false;
    size += bytes.length;
    return true;
  });
}

function compress(raw: Uint8Array, bases: readonly Base[]): Uint8Array {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL };
  return zlib.zstdCompressSync(raw, { params, ...dictionaryOf(bases) });
}

function decompress(bytes: Uint8Array, bases: readonly Base[]): Uint8Array {
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_RAW_BYTES, ...dictionaryOf(bases) });
  } catch (cause) {
    throw damagedPack("cannot be decompressed", cause);
  }
}

function dictionaryOf(bases: readonly Base[]) {
  return bases.length === 0 ? {} : { dictionary: Buffer.concat(bases.map(({ bytes }) => bytes)) };
}

function endOfLine(bytes: Uint8Array): number {
  const end = bytes.indexOf(LINE_FEED);
  if (end === -1) throw damagedPack("has no first line");
  return end;
}

function parseLine(line: Uint8Array): unknown[] {
  try {
    const list: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
    if (Array.isArray(list)) return list;
  } catch (cause) {
    throw damagedPack("has a line that is not JSON", cause);
  }
  throw damagedPack("has a line that is not a list");
}

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");
