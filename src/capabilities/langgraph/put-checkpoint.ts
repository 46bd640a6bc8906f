import type { ChannelVersions, Checkpoint, CheckpointMetadata } from "@langchain/langgraph-checkpoint";
import { isCheckpointError } from "../../core/errors.ts";
import { encode } from "../../core/objects/encode.ts";
import { setOwn, type Json, type JsonObject } from "../../core/objects/json.ts";
import type { BuildCommit, Commit } from "../../core/store/contract.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import { writeCheckpoint } from "../../core/trails/document.ts";
import { stateOf, type RememberedCheckpoint, type SaverContext, type ThreadState } from "./context.ts";
import { trailOf, type ThreadAddress } from "./names.ts";
import { shortId } from "./short-ids.ts";
import { findStored, recallStored } from "./read-tuples.ts";

export interface NewCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  /** The channels that have changed. */
  readonly newVersions: ChannelVersions;
}

/** How often one is tried that sweeps got in the way of, before something else must be wrong. */
const MAX_TRIES = 4;

/** Commits a checkpoint of LangGraph on top of its parent. One that is there already is left as it is. */
export async function putCheckpoint(
  context: SaverContext,
  address: ThreadAddress,
  given: NewCheckpoint,
): Promise<void> {
  let ownId: Pick<ThreadState, "id"> = {};
  for (let tries = 1; ; tries++) {
    try {
      const { commit, remembered } = await buildCommit(context, address, given, ownId);
      // Remembered before it is durable: the next step may already be on its way.
      context.last.set(commit.trail, remembered);
      await context.endOfTurn();
      return await context.store.commit(inItsPlace(context, commit));
    } catch (error) {
      context.last.clear();
      // Two checkpoints that say the same are one object, which has one id: then the second says its own.
      const isTwin = isForeignIdTaken(error) && ownId.id === undefined;
      if (tries === MAX_TRIES || !(isTwin || isStaleReference(error))) throw error;
      if (isTwin) ownId = { id: given.checkpoint.id };
    }
  }
}

const isForeignIdTaken = (error: unknown) =>
  isCheckpointError(error, "conflict") && error.details["foreignId"] !== undefined;

async function buildCommit(
  context: SaverContext,
  { thread, namespace, id: parentId }: ThreadAddress,
  { checkpoint, metadata, newVersions }: NewCheckpoint,
  ownId: Pick<ThreadState, "id">,
): Promise<{ readonly commit: Commit; readonly remembered: RememberedCheckpoint }> {
  const { codec, options } = context;
  const { id, ts, v, channel_values: values, channel_versions: versions, versions_seen: seen } = checkpoint;
  const trail = trailOf(thread, namespace);
  const parent = await findParent(context, trail, parentId);
  const before = parent && stateOf(parent);
  const channels: JsonObject = {};
  for (const channel of Object.keys(values)) {
    const isNew = Object.hasOwn(newVersions, channel);
    const known = before && knownValue(before, channel, versions[channel]);
    // Of a parent that is not there nothing is known, so what is given counts.
    if (!isNew && known === undefined && (before || parentId === undefined)) continue;
    const isTrusted = !isNew && known !== undefined && (options.recognition === "identity" || codec.isSealed);
    setOwn(channels, channel, isTrusted ? known : await codec.write(values[channel]));
  }
  const state: ThreadState = {
    v,
    channels,
    versions,
    seen,
    metadata: await codec.write(metadata),
    ...(namespace !== "" && { namespace }),
    ...ownId,
    ...(parentId !== undefined && parent === undefined && { parent_id: parentId }),
  };
  const { memory, objects } = encode(state, parent?.memory, options.recognition);
  const { info, object } = writeCheckpoint({
    root: memory.root,
    trail,
    created_at: ts,
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
    createdAt: Date.parse(ts),
    foreignId: shortId(id),
    head: { from: parent?.info.content_hash },
    // A thread that was deleted may begin again. What a run of it still wants to save, on top of what is gone, may not.
    revives: parentId === undefined,
  };
  return { commit, remembered: { id, info, memory } };
}

async function findParent(
  context: SaverContext,
  trail: string,
  id: string | undefined,
): Promise<RememberedCheckpoint | undefined> {
  if (id === undefined) return undefined;
  const last = context.last.get(trail);
  if (last?.id === id) return last;
  const stored = await findStored(context, trail, id);
  return stored && recallStored(context, stored);
}

/** The parent's value of a channel that has not changed. */
function knownValue(before: ThreadState, channel: string, version: unknown): Json | undefined {
  const isSame = Object.hasOwn(before.channels, channel) && before.versions[channel] === version;
  return isSame ? before.channels[channel] : undefined;
}

/** It becomes the head if its id is the highest: one that is put late, or on a fork that was left behind, is not the newest. */
function inItsPlace({ store, codec, options }: SaverContext, commit: Commit): BuildCommit {
  const { trail, foreignId = "" } = commit;
  const { head: _, ...aside } = commit;
  return {
    trail,
    prepared: commit,
    build: async (head) => {
      const [same] = await store.find({ trail, foreignId, limit: 1 });
      // A step that is put again is no error. What a serde seals differs each time, so the id has to do.
      if (same !== undefined && (codec.isSealed || same.id === commit.checkpoint.id)) return undefined;
      if (options.singleWriter) return commit;
      const [leader] = await store.find({ trail, byForeignId: {}, newestFirst: true, limit: 1 });
      return (leader?.foreignId ?? "") < foreignId ? { ...commit, head: { from: head } } : aside;
    },
  };
}
