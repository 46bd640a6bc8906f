import type { RunnableConfig } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Commit, StoredCheckpoint } from "../../core/store/contract.ts";
import { readCheckpoint, writeCheckpoint, type CheckpointInfo } from "../../core/trails/document.ts";
import { stagingTrail } from "../../core/trails/staging.ts";
import { recordsOfAncestors } from "./delta-history.ts";
import { belowThread, configOf, trailOf } from "./names.ts";
import { compare, idOfStored } from "./short-ids.ts";
import { findStored, namesOf } from "./read-tuples.ts";
import type { SaverContext } from "./context.ts";

/** The new thread, and when it is made. */
interface Copy {
  readonly to: string;
  readonly at: Date;
}

/** Copies every checkpoint of a thread. What they hold is shared, so only their own few bytes are written again. */
export async function copyThread(context: SaverContext, from: string, copy: Copy): Promise<void> {
  const { store } = context;
  const { to } = copy;
  const own = await store.find({ trail: trailOf(from) });
  if (own.length === 0) throw notFound(`thread "${from}"`);
  await assertFree(context, to);
  // Left by a copy that was interrupted: the thread itself comes last.
  await store.remove({ trails: await namesOf(context, belowThread(to)) });
  for (const trail of await namesOf(context, belowThread(from)))
    await copyInto(context, await store.find({ trail }), copy, trail.replace(trailOf(from), trailOf(to)));
  await copyInto(context, own, copy);
}

/** A thread that begins with one checkpoint of another. */
export async function forkThread(
  context: SaverContext,
  from: string,
  copy: Copy & { readonly checkpointId: string | undefined },
): Promise<RunnableConfig> {
  const { checkpointId: id, to } = copy;
  const stored = await findStored(context, trailOf(from), id);
  if (!stored) throw notFound(id ? `checkpoint "${id}" in the thread "${from}"` : `thread "${from}"`);
  await assertFree(context, to);
  await copyInto(context, [stored], copy);
  return configOf(to, "", idOfStored(stored));
}

/** Copies checkpoints, parents first. They are gathered in a hidden trail, so that the copy appears as a whole. */
async function copyInto(
  context: SaverContext,
  found: readonly StoredCheckpoint[],
  { to: thread, at }: Copy,
  trail = trailOf(thread),
): Promise<void> {
  const { store } = context;
  const written = await store.attachments(found.map(({ id }) => id));
  const staging = stagingTrail(at);
  const copies = new Map<ObjectId, CheckpointInfo>();
  const commits: Commit[] = [];
  for (const stored of found) {
    const { createdAt, foreignId } = stored;
    const parent = stored.parent && copies.get(stored.parent);
    const { info: told, root } = readCheckpoint(stored.id, stored.bytes);
    const { created_at, trigger } = told;
    const { info, object } = writeCheckpoint({
      root,
      trail,
      created_at,
      trigger,
      session_id: thread,
      parent,
    });
    copies.set(stored.id, info);
    // What it takes from ancestors that are not copied goes with it.
    const inherited = parent === undefined ? await recordsOfAncestors(context, stored) : [];
    const records = new Map([...inherited, ...(written.get(stored.id) ?? [])]);
    const copy = { objects: [], checkpoint: object, parent: parent?.content_hash };
    commits.push({ ...copy, trail: staging, createdAt, foreignId, records });
  }
  await Promise.all(commits.map((commit) => store.commit(commit)));
  const newest = commits.toSorted((a, b) => compare(a.foreignId ?? "", b.foreignId ?? "")).at(-1) as Commit;
  await store.commit({ ...newest, trail, head: { from: undefined }, adopts: staging, revives: true });
}

async function assertFree({ store }: SaverContext, thread: string): Promise<void> {
  if ((await store.head(trailOf(thread))) === undefined) return;
  throw new CheckpointError("conflict", `The thread "${thread}" exists already.`, {
    hint: "Choose another id for the copy.",
    details: { thread },
  });
}

function notFound(what: string): CheckpointError {
  return new CheckpointError("not-found", `There is no ${what}.`, { hint: "checkpoint trails" });
}
