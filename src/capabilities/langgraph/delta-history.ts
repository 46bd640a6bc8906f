import type { DeltaChannelHistory } from "@langchain/langgraph-checkpoint";
import type { Json } from "../../core/objects/json.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { own } from "../../core/text/untrusted.ts";
import type { SaverContext, ThreadState } from "./context.ts";
import { readStates, readWrites } from "./read-tuples.ts";
import { packRecord, storedWrites, unpackRecord, type StoredWrite } from "./stored-writes.ts";

/** The record with what came before a checkpoint that lost its ancestors, for channels that are kept as changes. */
const BEFORE = "before";

/** So many ancestors are read together. */
const PAGE = 64;

interface StoredHistory {
  /** Oldest first. */
  readonly writes: StoredWrite[];
  seed?: Json;
}
type Histories = Map<string, StoredHistory>;

/** What the ancestors of a checkpoint wrote to channels that are kept as changes, back to where each was stored whole. */
export async function deltaHistory(
  context: SaverContext,
  stored: StoredCheckpoint | undefined,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const result: Record<string, DeltaChannelHistory> = {};
  for (const [channel, { writes, seed }] of await storedHistories(context, stored, channels)) {
    const history = { writes: await readWrites(context, writes) };
    result[channel] = seed === undefined ? history : { ...history, seed: await context.codec.read(seed) };
  }
  return result;
}

/** The records that stand for the ancestors of a checkpoint when these go. */
export async function recordsOfAncestors(
  context: SaverContext,
  stored: StoredCheckpoint,
): Promise<Map<string, Uint8Array>> {
  const [{ versions, channels }] = (await readStates(context, [stored])) as [ThreadState];
  // A channel that has a version and no value is empty, or kept as changes.
  const open = Object.keys(versions).filter((channel) => !Object.hasOwn(channels, channel));
  const histories = [...(await storedHistories(context, stored, open))];
  const told = histories.filter(([, { writes, seed }]) => writes.length > 0 || seed !== undefined);
  return new Map(told.length > 0 ? [[BEFORE, packRecord(told)]] : []);
}

async function storedHistories(
  context: SaverContext,
  stored: StoredCheckpoint | undefined,
  channels: readonly string[],
): Promise<Histories> {
  const histories: Histories = new Map(channels.map((channel) => [channel, { writes: [] }]));
  const open = new Set(channels);
  for (let next = stored?.id; next !== undefined && open.size > 0;) {
    const page = await context.store.lineage(next, { limit: PAGE });
    const states = await readStates(context, page);
    for (const [at, { id, records }] of page.entries()) {
      const isAncestor = id !== stored?.id;
      const writes = isAncestor ? storedWrites(records) : [];
      const record = records.get(BEFORE);
      const before: Histories = new Map(record && (unpackRecord(record) as [string, StoredHistory][]));
      for (const channel of open) {
        const history = histories.get(channel) as StoredHistory;
        const older = before.get(channel);
        const written = writes.filter((write) => write.channel === channel);
        history.writes.unshift(...(older?.writes ?? []), ...written);
        const seed = (isAncestor ? own(states[at]?.channels, channel) : undefined) ?? older?.seed;
        if (seed !== undefined) history.seed = seed as Json;
        if (seed !== undefined || older) open.delete(channel);
      }
    }
    next = page.length < PAGE ? undefined : page.at(-1)?.parent;
  }
  return histories;
}
