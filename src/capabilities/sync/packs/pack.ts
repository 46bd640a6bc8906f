import zlib from "node:zlib";

import { isOfThisStore } from "../../../core/trails/transfer/export-trail.ts";
import type { NewObject } from "../../../core/objects/object-format.ts";
import { isObjectId, objectIdOf, type ObjectId } from "../../../core/objects/object-id.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { damagedPack } from "../damage.ts";

/** An object in a pack. */
type PackObject = Omit<NewObject, "links">;

/** A checkpoint in a pack, with the objects that it brought and what is attached to it. */
export interface PackedCheckpoint {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  /** Children before parents. */
  readonly objects: readonly PackObject[];
  /** The ancestor that stands for its parent, where that was pruned before it was pushed. */
  readonly after?: ObjectId | undefined;
  readonly foreignId?: string | undefined;
  readonly records?: ReadonlyMap<string, Uint8Array> | undefined;
}

/** An object that the reader has before it opens a section, because an earlier checkpoint brought it. */
export type PackBase = Pick<PackObject, "id" | "bytes">;

/** What one push brought. A pack is one section or several, one after the other: merging packs is joining their bytes. */
export interface Section {
  /** The last checkpoint in it. */
  readonly last: ObjectId;
  /** The objects that it was compressed with, and that must be read before it can be opened. */
  readonly bases: readonly ObjectId[];
  readonly compressed: Uint8Array;
}

const FORMAT = "cairn-pack-1";

/** More would not be looked at: zstd finds matches within its window. */
const MAX_BASE_BYTES = 1024 * 1024;

/** A section holds less than this before it is compressed; a hostile one must not fill the memory. */
const MAX_RAW_BYTES = 512 * 1024 * 1024;

const LEVEL = 6;
const LINE_FEED = 10;

/**
 * A series of checkpoints as one section. A first line in plain text names the objects that zstd took for its
 * dictionary: a checkpoint whose state grew by a sentence costs that sentence. The names of objects are not in it,
 * because the reader computes them: bytes that were changed have other names, and then nothing refers to them.
 * With the number of the repack epoch in it, the same checkpoints get another name where a pack with the first one is about
 * to be deleted.
 */
export function encodeSection(
  checkpoints: readonly PackedCheckpoint[],
  bases: readonly PackBase[],
  epoch: number,
): Uint8Array {
  const used = withinLimit(bases);
  const named = new Set(
    [...used, ...checkpoints.flatMap(({ objects }) => objects)].map(({ id }) => id.slice(0, LIKE_DIGITS)),
  );
  const index = checkpoints.map(({ bytes, objects, after, foreignId, records }) => ({
    length: bytes.length,
    objects: objects.map(({ bytes: { length }, predecessor = "" }) => {
      const short = predecessor.slice(0, LIKE_DIGITS);
      return named.has(short) ? [length, short] : [length];
    }),
    ...(after !== undefined && { after }),
    ...(foreignId !== undefined && { foreignId }),
    ...(records?.size && { records: [...records].map(([key, value]) => [key, toBase64(value)]) }),
  }));
  const parts = checkpoints.flatMap(({ bytes, objects }) => [
    ...objects.map((object) => object.bytes),
    bytes,
  ]);
  const raw = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...parts]);
  const compressed = compress(raw, used);
  const last = checkpoints.at(-1)?.id ?? "";
  const header = [FORMAT, epoch, compressed.length, ...[last, ...used.map(({ id }) => id)].map(shortId)];
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), compressed]);
}

/** Enough of a hash to find an object of the same section again. */
const LIKE_DIGITS = 8;

/** An id in 43 characters instead of 64: every push has some. */
const shortId = (id: string) => Buffer.from(id, "hex").toString("base64url");

function longId(short: unknown): ObjectId | undefined {
  const id = Buffer.from(String(short), "base64url").toString("hex");
  return isObjectId(id) ? id : undefined;
}

/** The sections of a pack, oldest first. */
export function sectionsOf(pack: Uint8Array): Section[] {
  const sections: Section[] = [];
  for (let at = 0; at < pack.length;) {
    const start = endOfLine(pack, at) + 1;
    const [format, epoch, length, ...ids] = parseLine(pack.subarray(at, start - 1));
    const [last, ...bases] = ids.map(longId);
    const isNumber = [epoch, length].every(Number.isSafeInteger) && Number(length) >= 1;
    if (format !== FORMAT || !isNumber || !last || !bases.every(Boolean))
      throw damagedPack("is of an unknown format");
    at = start + Number(length);
    if (at > pack.length) throw damagedPack("is shorter than it says");
    sections.push({ last, bases: bases as ObjectId[], compressed: pack.subarray(start, at) });
  }
  return sections;
}

/** Takes a section apart. Every id is computed from the bytes; whether they are the right ones, the heads tell. */
export function decodeSection(section: Section, bases: readonly PackBase[]): PackedCheckpoint[] {
  const raw = decompress(section.compressed, bases);
  const end = endOfLine(raw, 0);
  let at = end + 1;
  const take = (length: number): Uint8Array => {
    at += length;
    if (at > raw.length) throw damagedPack("is shorter than it says");
    return raw.subarray(at - length, at);
  };
  const known = new Map<string, ObjectId>(bases.map(({ id }) => [id.slice(0, LIKE_DIGITS), id]));
  const contents = parseLine(raw.subarray(0, end));
  if (!contents.every(isContents)) throw damagedPack("has a broken list of contents");
  const checkpoints = contents.map(({ length, objects, after, foreignId, records }): PackedCheckpoint => {
    const brought = objects.map(([size, short]): PackObject => {
      const bytes = take(size);
      const id = objectIdOf(bytes);
      const predecessor = short === undefined ? undefined : known.get(short);
      known.set(id.slice(0, LIKE_DIGITS), id);
      return { id, bytes, predecessor };
    });
    const bytes = take(length);
    if (records?.some(([key]) => isOfThisStore(key))) throw damagedPack("speaks for the store it comes to");
    const attached = records && new Map(records.map(([key, value]) => [key, Buffer.from(value, "base64")]));
    return { id: objectIdOf(bytes), bytes, objects: brought, after, foreignId, records: attached };
  });
  if (at !== raw.length) throw damagedPack("holds more than it lists");
  if (checkpoints.at(-1)?.id !== section.last) throw damagedPack("does not end with the checkpoint it names");
  return checkpoints;
}

/** What the first line of a section says of each checkpoint. */
interface Contents {
  readonly length: number;
  /** How long each object is, and the beginning of the id of one like it. */
  readonly objects: readonly (readonly [length: number, like?: string])[];
  readonly after?: ObjectId;
  readonly foreignId?: string;
  /** In base64. */
  readonly records?: readonly (readonly [key: string, value: string])[];
}

function isContents(value: unknown): value is Contents {
  if (!isRecord(value)) return false;
  const { length, objects, after, foreignId, records } = value;
  if (!isLength(length) || !Array.isArray(objects)) return false;
  const areObjects = objects.every(
    (item) => Array.isArray(item) && isLength(item[0]) && isTextOrNone(item[1]),
  );
  const areRecords = records === undefined || (Array.isArray(records) && records.every(isPairOfTexts));
  return areObjects && areRecords && (after === undefined || isObjectId(after)) && isTextOrNone(foreignId);
}

const isLength = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 1;
const isTextOrNone = (value: unknown) => value === undefined || typeof value === "string";
const isPairOfTexts = (value: unknown) =>
  Array.isArray(value) && value.length === 2 && value.every((text) => typeof text === "string");

function withinLimit(bases: readonly PackBase[]): PackBase[] {
  let size = 0;
  return bases.filter(({ bytes }) => {
    if (size + bytes.length > MAX_BASE_BYTES) return false;
    size += bytes.length;
    return true;
  });
}

function compress(raw: Uint8Array, bases: readonly PackBase[]): Uint8Array {
  const params = { [zlib.constants.ZSTD_c_compressionLevel]: LEVEL };
  // Small pieces: zlib holds the last one until the next full collection.
  return zlib.zstdCompressSync(raw, { params, chunkSize: 64 * 1024, ...dictionaryOf(bases) });
}

function decompress(bytes: Uint8Array, bases: readonly PackBase[]): Uint8Array {
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_RAW_BYTES, ...dictionaryOf(bases) });
  } catch (cause) {
    throw damagedPack("cannot be decompressed", cause);
  }
}

function dictionaryOf(bases: readonly PackBase[]) {
  return bases.length === 0 ? {} : { dictionary: Buffer.concat(bases.map(({ bytes }) => bytes)) };
}

function endOfLine(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(LINE_FEED, from);
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
