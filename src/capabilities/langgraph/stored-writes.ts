import type { Json } from "../../core/objects/json.ts";
import { pack, unpack } from "../../core/store/packing.ts";
import { compare, longId, shortId } from "./short-ids.ts";

/** How the keys of records begin that are writes. */
const WRITES = "w/";

/** A value that a task wrote after its checkpoint was taken. */
export interface StoredWrite {
  readonly task: string;
  readonly index: number;
  readonly channel: string;
  readonly json: Json;
}

/** A write as a record of its checkpoint. */
export function recordOf({ task, index, channel, json }: StoredWrite): [key: string, bytes: Uint8Array] {
  return [`${WRITES}${shortId(task)}/${index}`, packRecord([channel, json])];
}

/** The writes among the records of a checkpoint, by task and then in the order in which the task made them. */
export function storedWrites(records: ReadonlyMap<string, Uint8Array> = new Map()): StoredWrite[] {
  const writes = [...records]
    .filter(([key]) => key.startsWith(WRITES))
    .map(([key, bytes]) => {
      const end = key.lastIndexOf("/");
      const [channel, json] = unpackRecord(bytes) as [string, Json];
      return {
        task: longId(key.slice(WRITES.length, end)),
        index: Number(key.slice(end + 1)),
        channel,
        json,
      };
    });
  return writes.toSorted((a, b) => compare(a.task, b.task) || a.index - b.index);
}

/** Whether a person is asked something by it. */
export const isInterrupt = ({ channel }: StoredWrite) => channel === "__interrupt__";

/** JSON as the bytes of a record. */
export function packRecord(json: unknown): Uint8Array {
  return pack(Buffer.from(JSON.stringify(json))).data;
}

export function unpackRecord(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(unpack(bytes)));
}
