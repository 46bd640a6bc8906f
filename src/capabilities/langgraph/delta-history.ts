import type { CheckpointPendingWrite, DeltaChannelHistory } from "@langchain/langgraph-checkpoint";
import type { Json, JsonObject } from "../../core/objects/json.ts";
import type { Descended, Store, StoredCheckpoint } from "../../core/store/contract.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import { readAt } from "../../core/trails/diff/read-at.ts";
import { readCheckpoint } from "../../core/trails/document.ts";
import { readWrites } from "./read-tuples.ts";
import type { SaverContext } from "./saver.ts";
import { packRecord, storedWrites, unpackRecord, type StoredWrite } from "./stored-writes.ts";

/** What came before a checkpoint that lost its ancestors, for channels that are kept as changes. */
const BEFORE = "before/";

/** So many ancestors are read together. */
const PAGE = 64;

interface StoredHistory {
  /** Oldest first. */
  readonly writes: readonly StoredWrite[];
  readonly seed?: Json | undefined;
}

/** What the ancestors of a checkpoint wrote to channels that are kept as changes, back to where each was stored whole. */
export async function deltaHistory(
  context: SaverContext,
  stored: StoredCheckpoint | undefined,
  channels: readonly string[],
): Promise<Record<string, DeltaChannelHistory>> {
  const histories = await storedHistories(context, stored, channels);
  const result: Record<string, DeltaChannelHistory> = {};
  for (const [channel, { writes, seed }] of histories) {
    const read: CheckpointPendingWrite[] = await readWrites(context, writes);
    result[channel] = { writes: read, ...(seed !== undefined && { seed: await context.codec.read(seed) }) };
  }
  return result;
}

/** The records that stand for the ancestors of a checkpoint when these go. */
export async function recordsOfAncestors(
  context: SaverContext,
  stored: StoredCheckpoint,
): Promise<Map<string, Uint8Array>> {
  const { root } = readCheckpoint(stored.id, stored.bytes);
  const read = (part: string) => readAt(root, [part], (ids) => context.store.readObjects(ids));
  const values = (await read("channels")) as JsonObject;
  const versions = (await read("versions")) as JsonObject;
  // A channel that has a version and no value is empty, or kept as changes.
  const channels = Object.keys(versions).filter((channel) => !Object.hasOwn(values, channel));
  const histories = await storedHistories(context, stored, channels);
  const records = [...histories]
    .filter(([, { writes, seed }]) => writes.length > 0 || seed !== undefined)
    .map(([channel, history]) => [BEFORE + channel, packRecord(history as unknown as Json)] as const);
  return new Map(records);
}

async function storedHistories(
  { store }: SaverContext,
  stored: StoredCheckpoint | undefined,
  channels: readonly string[],
): Promise<Map<string, StoredHistory>> {
  const histories = new Map<string, { writes: StoredWrite[]; seed?: Json }>();
  for (const channel of channels) histories.set(channel, { writes: [] });
  const open = new Set(channels);
  const walk = async ({ id, bytes, records }: Descended, read: ReadObjects, isTarget: boolean) => {
    const { root } = readCheckpoint(id, bytes);
    const writes = isTarget ? [] : storedWrites(records).toReversed();
    for (const channel of open) {
      const value = isTarget ? undefined : await readAt(root, ["channels", channel], read);
      const history = histories.get(channel) as { writes: StoredWrite[]; seed?: Json };
      // Collected from the newest to the oldest, and turned round at the end.
      history.writes.push(...writes.filter((write) => write.channel === channel));
      const before = records.get(BEFORE + channel);
      const older = before && (unpackRecord(before) as unknown as StoredHistory);
      if (older) history.writes.push(...older.writes.toReversed());
      const seed = value ?? older?.seed;
      if (seed !== undefined) history.seed = seed;
      if (seed !== undefined || older) open.delete(channel);
    }
  };
  let isTarget = true;
  for (let next = stored?.id; next !== undefined && open.size > 0;) {
    const page: Descended[] = await store.lineage(next, { limit: PAGE });
    const read = await readTogether(store, page);
    for (const descended of page) {
      if (open.size === 0) break;
      await walk(descended, read, isTarget);
      isTarget = false;
    }
    next = page.length < PAGE ? undefined : page.at(-1)?.parent;
  }
  for (const { writes } of histories.values()) writes.reverse();
  return histories;
}

/** The states of neighbours are stored as changes of each other, so reading them one by one would repeat most of the work. */
async function readTogether(store: Store, page: readonly Descended[]): Promise<ReadObjects> {
  const objects = await store.readObjects(page.map(({ id, bytes }) => readCheckpoint(id, bytes).root));
  return (ids) => (ids.every((id) => objects.has(id)) ? Promise.resolve(objects) : store.readObjects(ids));
}
