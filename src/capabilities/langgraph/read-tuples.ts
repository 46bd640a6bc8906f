import {
  maxChannelVersion,
  TASKS,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import type { Json } from "../../core/objects/json.ts";
import { remember } from "../../core/objects/remember.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { readAt } from "../../core/trails/diff/read-at.ts";
import { readCheckpoint } from "../../core/trails/document.ts";
import { stateOf, type RememberedCheckpoint, type SaverContext, type ThreadState } from "./context.ts";
import { configOf } from "./names.ts";
import { idOfStored, shortId } from "./short-ids.ts";
import { storedWrites, type StoredWrite } from "./stored-writes.ts";

/** The checkpoint with this id, or the newest of a thread: the one with the highest id, whenever it came. */
export async function findStored({ store }: SaverContext, trail: string, id?: string) {
  const wanted = id === undefined ? { byForeignId: {}, newestFirst: true } : { foreignId: shortId(id) };
  return (await store.find({ trail, ...wanted, limit: 1 }))[0];
}

/** All checkpoints of a thread, the newest first. */
export function findAll({ store }: SaverContext, trail: string): Promise<StoredCheckpoint[]> {
  return store.find({ trail, byForeignId: {}, newestFirst: true });
}

/** The names of the trails that begin so. */
export async function namesOf({ store }: SaverContext, prefix: string): Promise<string[]> {
  return (await store.trails({ prefix })).map(({ name }) => name);
}

/** Reads a checkpoint and remembers it, because the next step most likely builds on it. */
export async function recallStored(
  { store, last }: SaverContext,
  stored: StoredCheckpoint,
): Promise<RememberedCheckpoint> {
  const known = last.get(stored.trail);
  if (known?.info.content_hash === stored.id) return known;
  const { info, root } = readCheckpoint(stored.id, stored.bytes);
  const memory = await remember(root, (ids) => store.readObjects(ids));
  const read = { id: idOfStored(stored), info, memory };
  last.set(stored.trail, read);
  return read;
}

/** Reads states together, so many that share parts cost little more than one. They must not be changed. */
export async function readStates(
  { history }: SaverContext,
  page: readonly StoredCheckpoint[],
): Promise<ThreadState[]> {
  const roots = page.map(({ id, bytes }) => readCheckpoint(id, bytes).root);
  return (await history.readAll(roots)) as unknown as ThreadState[];
}

/** Of the state only this is read. */
export async function readMetadata({ store, codec }: SaverContext, { id, bytes }: StoredCheckpoint) {
  const { root } = readCheckpoint(id, bytes);
  const json = await readAt(root, ["metadata"], (ids) => store.readObjects(ids));
  return (await codec.read(json as Json)) as CheckpointMetadata & Record<string, unknown>;
}

/** Reads checkpoints as LangGraph knows them. */
export async function readTuples(
  context: SaverContext,
  page: readonly StoredCheckpoint[],
): Promise<CheckpointTuple[]> {
  const [first] = page;
  const states =
    first !== undefined && page.length === 1
      ? [stateOf(await recallStored(context, first))]
      : await readStates(context, page);
  const records = await context.store.attachments(page.map(({ id }) => id));
  const read = page.map(async (stored, at) => {
    const parent = await parentOf(context, stored, page);
    const writes = storedWrites(records.get(stored.id));
    return tupleOf(context, { stored, state: states[at] as ThreadState, parent, writes });
  });
  return Promise.all(read);
}

async function parentOf(
  { store }: SaverContext,
  { trail, parent }: StoredCheckpoint,
  page: readonly StoredCheckpoint[],
): Promise<StoredCheckpoint | undefined> {
  if (parent === undefined) return undefined;
  return page.find(({ id }) => id === parent) ?? (await store.find({ trail, idPrefix: parent, limit: 1 }))[0];
}

interface Found {
  readonly stored: StoredCheckpoint;
  readonly state: ThreadState;
  readonly parent: StoredCheckpoint | undefined;
  readonly writes: readonly StoredWrite[];
}

async function tupleOf(context: SaverContext, { stored, state, parent, writes }: Found) {
  const { codec } = context;
  const { session_id: thread, created_at } = readCheckpoint(stored.id, stored.bytes).info;
  const { v, channels, versions, seen, metadata, namespace = "", parent_id } = state;
  const values: Record<string, unknown> = {};
  for (const channel of Object.keys(channels)) values[channel] = await codec.read(channels[channel] as Json);
  const checkpoint: Checkpoint = {
    v,
    id: idOfStored(stored),
    ts: created_at,
    channel_values: values,
    channel_versions: { ...versions },
    versions_seen: structuredClone(seen) as Checkpoint["versions_seen"],
  };
  if (v < 4 && parent !== undefined) await migrateSends(context, checkpoint, parent);
  const parentId = parent === undefined ? parent_id : idOfStored(parent);
  const tuple: CheckpointTuple = {
    config: configOf(thread ?? "", namespace, checkpoint.id),
    checkpoint,
    metadata: (await codec.read(metadata)) as CheckpointMetadata,
    ...(parentId !== undefined && { parentConfig: configOf(thread ?? "", namespace, parentId) }),
    pendingWrites: await readWrites(context, writes),
  };
  return tuple;
}

/** Checkpoints of older versions of LangGraph have the packets that were sent to tasks only among their parent's writes. */
async function migrateSends(context: SaverContext, checkpoint: Checkpoint, { id }: StoredCheckpoint) {
  const records = (await context.store.attachments([id])).get(id);
  const sends = storedWrites(records).filter(({ channel }) => channel === TASKS);
  checkpoint.channel_values[TASKS] = (await readWrites(context, sends)).map(([, , value]) => value);
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : 1;
}

export function readWrites(
  { codec }: SaverContext,
  writes: readonly StoredWrite[],
): Promise<CheckpointPendingWrite[]> {
  const read = writes.map(async ({ task, channel, json }): Promise<CheckpointPendingWrite> => [
    task,
    channel,
    await codec.read(json),
  ]);
  return Promise.all(read);
}
