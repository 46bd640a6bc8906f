import { INTERRUPT, WRITES_IDX_MAP, type PendingWrite } from "@langchain/langgraph-checkpoint";
import type { Json } from "../../core/objects/json.ts";
import { longId, shortId } from "./short-ids.ts";
import { packRecord, unpackRecord, type Codec } from "./codec.ts";

const PREFIX = "w/";

/** A value that a task wrote after its checkpoint was taken. */
export interface StoredWrite {
  readonly task: string;
  readonly index: number;
  readonly channel: string;
  readonly json: Json;
}

/** Writes as records of their checkpoint. A task that is tried again keeps what it wrote first, except for its special writes. */
export async function writeRecordsOf(codec: Codec, writes: readonly PendingWrite[], task: string) {
  const records = new Map<string, Uint8Array>();
  for (const [position, [channel, value]] of writes.entries()) {
    const index = WRITES_IDX_MAP[channel] ?? position;
    records.set(`${PREFIX}${shortId(task)}/${index}`, packRecord([channel, await codec.write(value)]));
  }
  return { records, ifAbsent: !writes.every(([channel]) => channel in WRITES_IDX_MAP) };
}

/** The writes among the records of a checkpoint, by task and then in the order in which the task made them. */
export function storedWrites(records: ReadonlyMap<string, Uint8Array> = new Map()): StoredWrite[] {
  const writes: StoredWrite[] = [];
  for (const [key, bytes] of records) {
    if (!key.startsWith(PREFIX)) continue;
    const end = key.lastIndexOf("/");
    const [channel, json] = unpackRecord(bytes) as [string, Json];
    writes.push({
      task: longId(key.slice(PREFIX.length, end)),
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

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
