import {
  maxChannelVersion,
  TASKS,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointPendingWrite,
  type CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import type { Json } from "../../core/objects/json.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { readAt } from "../../core/trails/diff/read-at.ts";
import { readCheckpoint } from "../../core/trails/document.ts";
import { configOf } from "./address.ts";
import { stateOf, type ThreadState } from "./memories.ts";
import { storedWrites, type StoredWrite } from "./stored-writes.ts";
import { idOfStored, shortId } from "./short-ids.ts";
import type { SaverContext } from "./saver.ts";

/** The checkpoint with this id, or the newest of a thread: the one with the highest id, whenever it came. */
export async function findStored({ store }: SaverContext, trail: string, id?: string) {
  const wanted = id === undefined ? { byForeignId: {}, newestFirst: true } : { foreignId: shortId(id) };
  return (await store.find({ trail, ...wanted, limit: 1 }))[0];
}

/** Of the state only this is read. */
export async function readMetadata({ store, codec }: SaverContext, { id, bytes }: StoredCheckpoint) {
  const { root } = readCheckpoint(id, bytes);
  const json = await readAt(root, ["metadata"], (ids) => store.readObjects(ids));
  return (await codec.read(json as Json)) as Record<string, unknown>;
}

/** Reads checkpoints as LangGraph knows them. They are read together, so many that share parts cost little more than one. */
export async function readTuples(
  context: SaverContext,
  page: readonly StoredCheckpoint[],
): Promise<CheckpointTuple[]> {
  const { store } = context;
  const documents = page.map(({ id, bytes }) => readCheckpoint(id, bytes));
  const states = await readStates(
    context,
    documents.map(({ root }) => root),
  );
  const records = await store.attachments(page.map(({ id }) => id));
  const parents = await findParents(context, page);
  const tuples: CheckpointTuple[] = [];
  for (const [at, stored] of page.entries()) {
    const { info } = documents[at] as (typeof documents)[number];
    const state = states[at] as ThreadState;
    const [thread, namespace] = [info.session_id ?? "", (state["namespace"] as string | undefined) ?? ""];
    const parent = stored.parent === undefined ? undefined : parents.get(stored.parent);
    const parentId = parent === undefined ? (state["parent_id"] as string | undefined) : idOfStored(parent);
    const checkpoint = await checkpointOf(context, stored, state, info.created_at);
    if (checkpoint.v < 4 && parent !== undefined) await migrateSends(context, checkpoint, parent.id);
    tuples.push({
      config: configOf(thread, namespace, checkpoint.id),
      checkpoint,
      metadata: (await context.codec.read(state.metadata)) as CheckpointMetadata,
      ...(parentId !== undefined && { parentConfig: configOf(thread, namespace, parentId) }),
      pendingWrites: await readWrites(context, storedWrites(records.get(stored.id))),
    });
  }
  return tuples;
}

/** One state is remembered, because the next step most likely builds on it; of many only the objects are shared. */
async function readStates({ memories }: SaverContext, roots: readonly ObjectId[]): Promise<ThreadState[]> {
  const [root] = roots;
  if (root !== undefined && roots.length === 1) return [stateOf(await memories.of(root))];
  return (await memories.history.readAll(roots)) as ThreadState[];
}

async function findParents(
  { store }: SaverContext,
  page: readonly StoredCheckpoint[],
): Promise<Map<ObjectId, StoredCheckpoint>> {
  const parents = new Map(page.map((stored) => [stored.id, stored]));
  for (const { parent, trail } of page) {
    if (parent === undefined || parents.has(parent)) continue;
    const [found] = await store.find({ trail, idPrefix: parent, limit: 1 });
    if (found !== undefined) parents.set(parent, found);
  }
  return parents;
}

async function checkpointOf(
  { codec }: SaverContext,
  stored: StoredCheckpoint,
  { v, channels, versions, seen, ts }: ThreadState,
  createdAt: string,
): Promise<Checkpoint> {
  const values: Record<string, unknown> = {};
  for (const channel of Object.keys(channels)) values[channel] = await codec.read(channels[channel] as Json);
  return {
    v,
    id: idOfStored(stored),
    ts: (ts as string | undefined) ?? createdAt,
    channel_values: values,
    channel_versions: { ...versions },
    versions_seen: structuredClone(seen) as Checkpoint["versions_seen"],
  };
}

export async function readWrites(
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

/** Checkpoints of older versions of LangGraph have the packets that were sent to tasks only among their parent's writes. */
async function migrateSends(context: SaverContext, checkpoint: Checkpoint, parent: ObjectId): Promise<void> {
  const records = (await context.store.attachments([parent])).get(parent);
  const sends = storedWrites(records).filter(({ channel }) => channel === TASKS);
  checkpoint.channel_values[TASKS] = (await readWrites(context, sends)).map(([, , value]) => value);
  const versions = Object.values(checkpoint.channel_versions);
  checkpoint.channel_versions[TASKS] = versions.length > 0 ? maxChannelVersion(...versions) : 1;
}
