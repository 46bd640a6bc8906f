import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { CheckpointError, isCheckpointError } from "../../core/errors.ts";
import { encode, type Memory } from "../../core/objects/encode.ts";
import { setOwn, type Json, type JsonObject } from "../../core/objects/json.ts";
import type { BuildCommit, Commit } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { readCheckpoint, writeCheckpoint, type CheckpointInfo } from "../../core/trails/document.ts";
import type { CheckpointAddress } from "./address.ts";
import { stateOf, type ThreadState } from "./memories.ts";
import { findStored } from "./read-tuples.ts";
import type { SaverContext } from "./saver.ts";
import { shortId } from "./short-ids.ts";
import { trailOf } from "./threads.ts";

export interface NewCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  /** The channels that have changed. */
  readonly newVersions: ChannelVersions;
  readonly saysId?: boolean;
}

type ThreadAddress = CheckpointAddress & { readonly thread: string };

interface Parent {
  readonly info: CheckpointInfo;
  readonly memory: Memory;
}

/** Sweeps that may get in the way of one commit before something else must be wrong. */
const MAX_STALE = 3;

/** As `Date.toISOString` writes it. */
const ISO_DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Commits a checkpoint of LangGraph on top of its parent. It becomes the head if its id is the highest. */
export async function putCheckpoint(
  context: SaverContext,
  address: ThreadAddress,
  given: NewCheckpoint,
): Promise<void> {
  let saysId = false;
  for (let stale = 0; ; stale++) {
    try {
      const parent = await findParent(context, address);
      const { commit, memory, info } = await buildCommit(context, address, { ...given, saysId }, parent);
      // Remembered before it is durable: the next step may already be on its way.
      context.memories.keep(memory, parent?.memory.root);
      context.memories.keepLast(commit.trail, { foreignId: given.checkpoint.id, info, root: memory.root });
      await context.endOfTurn();
      await context.store.commit(context.singleWriter ? commit : highestLeads(context, commit));
      return;
    } catch (error) {
      context.memories.forget();
      if (isCheckpointError(error, "conflict") && (await isThere(context, address, given))) return;
      const isTwin: boolean = isForeignIdTaken(error) && !saysId;
      if (!(isTwin || isStaleReference(error)) || stale === MAX_STALE) throw error;
      // Two checkpoints that say the same are one object, which has one id: then the second has to say its own.
      saysId = isTwin || saysId;
    }
  }
}

async function findParent(
  context: SaverContext,
  { thread, namespace, id }: ThreadAddress,
): Promise<Parent | undefined> {
  const { memories } = context;
  if (id === undefined) return undefined;
  const trail = trailOf(thread, namespace);
  const last = memories.lastPut(trail);
  if (last?.foreignId === id) return { info: last.info, memory: await memories.of(last.root) };
  const stored = await findStored(context, trail, id);
  if (stored === undefined) return undefined;
  const { info, root } = readCheckpoint(stored.id, stored.bytes);
  return { info, memory: await memories.of(root) };
}

async function buildCommit(
  context: SaverContext,
  { thread, namespace, id: parentId }: ThreadAddress,
  { checkpoint, metadata, newVersions, saysId = false }: NewCheckpoint,
  parent: Parent | undefined,
): Promise<{ readonly commit: Commit; readonly memory: Memory; readonly info: CheckpointInfo }> {
  const { codec, recognition, now } = context;
  const { id, ts, v, channel_values: values, channel_versions: versions, versions_seen: seen } = checkpoint;
  const before = parent && stateOf(parent.memory);
  const channels: JsonObject = {};
  for (const channel of Object.keys(values)) {
    const isNew = Object.hasOwn(newVersions, channel);
    const known = before && knownValue(before, channel, versions[channel]);
    // Of a parent that is not there nothing is known, so what is given counts.
    if (!isNew && known === undefined && (before || parentId === undefined)) continue;
    const isTrusted = !isNew && known !== undefined && (recognition === "identity" || codec.isSealed);
    setOwn(channels, channel, isTrusted ? known : await codec.write(values[channel]));
  }
  const isDated = ISO_DATE.test(ts);
  const state: ThreadState = {
    v,
    channels,
    versions,
    seen,
    metadata: await codec.write(metadata),
    ...(namespace !== "" && { namespace }),
    ...(!isDated && { ts }),
    ...(saysId && { id }),
    ...(parentId !== undefined && parent === undefined && { parent_id: parentId }),
  };
  const { memory, objects } = encode(state, parent?.memory, recognition);
  const created_at = isDated ? ts : now().toISOString();
  const trail = trailOf(thread, namespace);
  const { info, object } = writeCheckpoint({
    root: memory.root,
    trail,
    created_at,
    trigger: metadata.source || "manual",
    session_id: thread,
    parent: parent?.info,
  });
  const commit: Commit = {
    objects,
    checkpoint: object,
    bytesAreFinal: true,
    trail,
    parent: parent?.info.content_hash,
    createdAt: Date.parse(created_at),
    foreignId: shortId(id),
    head: { from: parent?.info.content_hash },
    // A thread that was deleted may begin again. What a run of it still wants to save, on top of what is gone, may not.
    revives: parentId === undefined,
  };
  return { commit, memory, info };
}

/** The parent's value of a channel that has not changed. */
function knownValue(before: ThreadState, channel: string, version: unknown): Json | undefined {
  const isSame = Object.hasOwn(before.channels, channel) && before.versions[channel] === version;
  return isSame ? before.channels[channel] : undefined;
}

/** An id that is put late, or on a fork that was left behind, is not the newest: the head stays where it is. */
function highestLeads({ store }: SaverContext, commit: Commit): BuildCommit {
  const { head: _, ...aside } = commit;
  const { trail } = commit;
  return {
    trail,
    prepared: commit,
    build: async (head) => {
      const [stored] = head ? await store.find({ trail, idPrefix: head, limit: 1 }) : [];
      const leader = stored?.foreignId;
      return leader === undefined || leader < (commit.foreignId as string)
        ? { ...commit, head: { from: head } }
        : aside;
    },
  };
}

const isForeignIdTaken = (error: unknown) =>
  isCheckpointError(error, "conflict") && error.details["foreignId"] !== undefined;

/** Whether this checkpoint was saved before: a step that is put again is no error. Another one under its id is. */
async function isThere(
  context: SaverContext,
  address: ThreadAddress,
  given: NewCheckpoint,
): Promise<boolean> {
  const trail = trailOf(address.thread, address.namespace);
  const stored = await findStored(context, trail, given.checkpoint.id);
  if (stored === undefined) return false;
  const parent = await findParent(context, address);
  for (const saysId of [false, true]) {
    const { commit } = await buildCommit(context, address, { ...given, saysId }, parent);
    if (commit.checkpoint.id === stored.id) return true;
  }
  throw new CheckpointError(
    "conflict",
    `The thread has another checkpoint "${given.checkpoint.id}" already.`,
    {
      hint: "Continue from it, or give the new one an id of its own.",
      details: { checkpoint: given.checkpoint.id },
    },
  );
}
