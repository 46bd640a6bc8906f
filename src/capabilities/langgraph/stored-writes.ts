import zlib from "node:zlib";
import type { Json } from "../../core/objects/json.ts";
import { longId } from "./short-ids.ts";

/** How the keys of records begin that are writes. */
export const WRITES = "w/";
const INTERRUPT = "__interrupt__";

/** A record shorter than this does not get shorter. */
const WORTH_COMPRESSING = 128;

/** A zstd frame begins with this byte, and JSON does not. */
const ZSTD_MAGIC = 0x28;

/** Nothing that was stored is larger; a damaged record must not fill the memory. */
const MAX_BYTES = 1024 * 1024 * 1024;

/** A value that a task wrote after its checkpoint was taken. */
export interface StoredWrite {
  readonly task: string;
  readonly index: number;
  readonly channel: string;
  readonly json: Json;
}

/** The writes among the records of a checkpoint, by task and then in the order in which the task made them. */
export function storedWrites(records: ReadonlyMap<string, Uint8Array> = new Map()): StoredWrite[] {
  const writes: StoredWrite[] = [];
  for (const [key, bytes] of records) {
    if (!key.startsWith(WRITES)) continue;
    const end = key.lastIndexOf("/");
    const [channel, json] = unpackRecord(bytes) as [string, Json];
    writes.push({
      task: longId(key.slice(WRITES.length, end)),
      index: Number(key.slice(end + 1)),
      channel,
      json,
    });
  }
  return writes.toSorted((a, b) => compare(a.task, b.task) || a.index - b.index);
}

/** Whether a person has been asked something there. */
export function isInterrupted(records: ReadonlyMap<string, Uint8Array> | undefined): boolean {
  return storedWrites(records).some(({ channel }) => channel === INTERRUPT);
}

export const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** JSON as the bytes of a record. */
export function packRecord(json: Json): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(json));
  return bytes.length < WORTH_COMPRESSING ? bytes : zlib.zstdCompressSync(bytes);
}

export function unpackRecord(bytes: Uint8Array): Json {
  const isPacked = bytes[0] === ZSTD_MAGIC;
  const text = isPacked ? zlib.zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes;
  return JSON.parse(new TextDecoder().decode(text)) as Json;
}
