import type { ObjectId } from "../../core/objects/object-id.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { commitOfStored } from "../../core/trails/document.ts";
import { recordsOfAncestors } from "./delta-history.ts";
import { readMetadata } from "./read-tuples.ts";
import { isInterrupted } from "./stored-writes.ts";
import type { SaverContext } from "./saver.ts";
import { idOfStored } from "./short-ids.ts";
import { THREADS, trailOf } from "./threads.ts";

export interface ThreadPruneOptions {
  /** How many of the newest checkpoints of each thread stay: at least one does. */
  readonly keepLast?: number | undefined;
  /** Removes only what was taken before this moment. */
  readonly olderThan?: Date | undefined;
  /** Only these threads. */
  readonly threads?: readonly string[] | undefined;
  /** Tells what would be removed, and changes nothing. */
  readonly dryRun?: boolean | undefined;
}

export interface ThreadPruneResult {
  /** How many checkpoints were removed, or would be. */
  readonly removed: number;
  readonly kept: number;
  /** Bytes of objects that were given back, also of threads that were deleted before. */
  readonly bytesFreed: number;
}

/** Removes old checkpoints of threads, and sweeps. */
export async function prune(
  context: SaverContext,
  { keepLast = 1, olderThan, threads, dryRun = false }: ThreadPruneOptions,
): Promise<ThreadPruneResult> {
  const { store } = context;
  const newest = Math.max(1, keepLast);
  let [removed, kept] = [0, 0];
  for (const trail of await rootTrails(context, threads)) {
    const stored = await store.find({ trail, byForeignId: {}, newestFirst: true });
    const parents = new Set(stored.map(({ parent }) => parent));
    const candidates = stored
      .slice(newest)
      .filter(({ createdAt }) => olderThan === undefined || createdAt < olderThan.getTime());
    const records = await store.attachments(candidates.map(({ id }) => id));
    // Nobody has answered yet where nothing follows.
    const leaving = candidates.filter(({ id }) => parents.has(id) || !isInterrupted(records.get(id)));
    const gone = new Set(leaving.map(idOfStored));
    const below = await subgraphsOf(context, trail, gone);
    removed += leaving.length + below.checkpoints;
    kept += stored.length - leaving.length;
    if (dryRun || leaving.length === 0) continue;
    await removeFrom(context, trail, stored, leaving);
    await store.remove({ trails: below.trails });
  }
  const { bytesFreed } = dryRun ? { bytesFreed: 0 } : await store.sweep();
  return { removed, kept, bytesFreed };
}

/** Removes what certain runs wrote, wherever it is. */
export async function removeRuns(context: SaverContext, runIds: readonly string[]): Promise<void> {
  const { store } = context;
  const runs = new Set(runIds);
  for (const { name: trail } of await store.trails({ prefix: THREADS })) {
    const stored = await store.find({ trail, byForeignId: {}, newestFirst: true });
    const leaving: StoredCheckpoint[] = [];
    for (const each of stored) {
      const metadata = await readMetadata(context, each);
      if (runs.has(metadata["run_id"] as string)) leaving.push(each);
    }
    if (leaving.length > 0) await removeFrom(context, trail, stored, leaving);
  }
}

/** Removes checkpoints of a trail. Those that lose their parent keep what they took from their ancestors. */
async function removeFrom(
  context: SaverContext,
  trail: string,
  stored: readonly StoredCheckpoint[],
  leaving: readonly StoredCheckpoint[],
): Promise<void> {
  const { store } = context;
  if (leaving.length === stored.length) {
    await store.remove({ trails: [trail] });
    return;
  }
  const gone = new Set<ObjectId | undefined>(leaving.map(({ id }) => id));
  const staying = stored.filter(({ id }) => !gone.has(id));
  for (const each of staying) {
    if (!gone.has(each.parent)) continue;
    const records = await recordsOfAncestors(context, each);
    if (records.size > 0) await store.attach(each.id, records);
  }
  const head = await store.head(trail);
  const newest = staying[0] as StoredCheckpoint;
  // The head cannot be removed: what remains as the newest takes its place first.
  if (gone.has(head)) await store.commit({ ...commitOfStored(newest), trail, head: { from: head } });
  await store.remove({ checkpoints: leaving.map(({ id }) => id) });
}

/** A subgraph's checkpoints belong to one of its thread's, and are of no use without it. */
async function subgraphsOf(
  context: SaverContext,
  trail: string,
  gone: ReadonlySet<string>,
): Promise<{ trails: string[]; checkpoints: number }> {
  const { store } = context;
  const trails: string[] = [];
  let checkpoints = 0;
  for (const { name } of await store.trails({ prefix: `${trail}/` })) {
    const [newest] = await store.find({ trail: name, byForeignId: {}, newestFirst: true, limit: 1 });
    if (newest === undefined) continue;
    const { parents } = (await readMetadata(context, newest)) as { parents?: Record<string, string> };
    if (!gone.has(parents?.[""] ?? "")) continue;
    trails.push(name);
    checkpoints += await store.count(name);
  }
  return { trails, checkpoints };
}

async function rootTrails({ store }: SaverContext, threads?: readonly string[]): Promise<string[]> {
  if (threads !== undefined) return threads.map((thread) => trailOf(thread, ""));
  const names = (await store.trails({ prefix: THREADS })).map(({ name }) => name);
  return names.filter((name) => !name.slice(THREADS.length).includes("/"));
}
