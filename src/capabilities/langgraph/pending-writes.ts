import { WRITES_IDX_MAP, type PendingWrite } from "@langchain/langgraph-checkpoint";
import type { Codec } from "./codec.ts";
import { shortId } from "./short-ids.ts";
import { packRecord, WRITES } from "./stored-writes.ts";

/** Writes as records of their checkpoint. A task that is tried again keeps what it wrote first, except for its special writes. */
export async function writeRecordsOf(codec: Codec, writes: readonly PendingWrite[], task: string) {
  const records = new Map<string, Uint8Array>();
  for (const [position, [channel, value]] of writes.entries()) {
    const index = WRITES_IDX_MAP[channel] ?? position;
    records.set(`${WRITES}${shortId(task)}/${index}`, packRecord([channel, await codec.write(value)]));
  }
  return { records, ifAbsent: !writes.every(([channel]) => channel in WRITES_IDX_MAP) };
}
