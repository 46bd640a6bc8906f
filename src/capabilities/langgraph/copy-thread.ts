import type { RunnableConfig } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Commit, StoredCheckpoint } from "../../core/store/contract.ts";
import { readCheckpoint, writeCheckpoint, type CheckpointInfo } from "../../core/trails/document.ts";
import { stagingTrail } from "../../core/trails/staging.ts";
import { configOf } from "./address.ts";
import { recordsOfAncestors } from "./delta-history.ts";
import { findStored } from "./read-tuples.ts";
import type { SaverContext } from "./saver.ts";
import { idOfStored } from "./short-ids.ts";
import { belowThread, trailOf } from "./threads.ts";

/** So many checkpoints are copied together. */
const PAGE = 64;

/** Copies every checkpoint of a thread. What they hold is shared, so only their own few bytes are written again. */
export async function copyThread(context: SaverContext, from: string, to: string): Promise<void> {
  const { store } = context;
  const [source, copy] = [trailOf(from, ""), trailOf(to, "")];
  if ((await store.head(source)) === undefined) throw noSuchThread(from);
  await assertFree(context, to);
  const below = (thread: string) => store.trails({ prefix: belowThread(thread) });
  // Left by a copy that was interrupted: the thread itself comes last.
  await store.remove({ trails: (await below(to)).map(({ name }) => name) });
  for (const { name } of await below(from))
    await copyTrail(context, name, belowThread(to) + name.slice(belowThread(from).length), to);
  await copyTrail(context, source, copy, to);
}

/** Gathered in a hidden trail, so that the copy appears as a whole. */
async function copyTrail(context: SaverContext, from: string, to: string, thread: string): Promise<void> {
  const { store, now } = context;
  const staging = stagingTrail(now());
  const copies = new Map<ObjectId, CheckpointInfo>();
  const head = await store.head(from);
  let last: Commit | undefined;
  for (let afterSequence = 0; ;) {
    const page = await store.find({ trail: from, afterSequence, limit: PAGE });
    if (page.length === 0) break;
    afterSequence = (page.at(-1) as StoredCheckpoint).sequence;
    const records = await store.attachments(page.map(({ id }) => id));
    const commits: Commit[] = [];
    for (const stored of page) {
      const parent = stored.parent === undefined ? undefined : copies.get(stored.parent);
      const { commit, info } = copyOf(stored, { trail: to, thread, parent });
      copies.set(stored.id, info);
      commits.push({ ...commit, trail: staging, records: records.get(stored.id) });
      if (stored.id === head) last = commits.at(-1);
    }
    await Promise.all(commits.map((commit) => store.commit(commit)));
  }
  if (last !== undefined)
    await store.commit({ ...last, trail: to, head: { from: undefined }, adopts: staging, revives: true });
}

/** A thread that begins with one checkpoint of another. What that takes from its ancestors goes with it. */
export async function forkThread(
  context: SaverContext,
  from: string,
  to: string,
  checkpointId?: string,
): Promise<RunnableConfig> {
  const { store } = context;
  const source = trailOf(from, "");
  const stored = await findStored(context, source, checkpointId);
  if (stored === undefined) throw noSuchThread(from, checkpointId);
  await assertFree(context, to);
  const own = (await store.attachments([stored.id])).get(stored.id) ?? [];
  const records = new Map([...(await recordsOfAncestors(context, stored)), ...own]);
  const trail = trailOf(to, "");
  const { commit } = copyOf(stored, { trail, thread: to, parent: undefined });
  await store.commit({ ...commit, head: { from: undefined }, records, revives: true });
  return configOf(to, "", idOfStored(stored));
}

function copyOf(
  { id, bytes, createdAt, foreignId }: StoredCheckpoint,
  place: { readonly trail: string; readonly thread: string; readonly parent: CheckpointInfo | undefined },
): { commit: Commit; info: CheckpointInfo } {
  const { trail, thread, parent } = place;
  const { info: told, root } = readCheckpoint(id, bytes);
  const { created_at, trigger } = told;
  const { info, object } = writeCheckpoint({ root, trail, created_at, trigger, session_id: thread, parent });
  const commit = {
    objects: [],
    checkpoint: object,
    trail,
    parent: parent?.content_hash,
    createdAt,
    foreignId,
  };
  return { commit, info };
}

async function assertFree({ store }: SaverContext, thread: string): Promise<void> {
  if ((await store.head(trailOf(thread, ""))) === undefined) return;
  throw new CheckpointError("conflict", `The thread "${thread}" exists already.`, {
    hint: "Choose another id for the copy.",
    details: { thread },
  });
}

function noSuchThread(thread: string, checkpoint?: string): CheckpointError {
  const what =
    checkpoint === undefined ? `thread "${thread}"` : `checkpoint "${checkpoint}" in the thread "${thread}"`;
  return new CheckpointError("not-found", `There is no ${what}.`, {
    hint: "checkpoint trails",
    details: { thread, ...(checkpoint !== undefined && { checkpoint }) },
  });
}
