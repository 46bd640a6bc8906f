import type { ObjectId } from "../../core/objects/object-id.ts";
import type { StoredCheckpoint } from "../../core/store/contract.ts";
import { commitOfStored } from "../../core/trails/document.ts";
import { recordsOfAncestors } from "./delta-history.ts";
import { THREADS, trailOf } from "./names.ts";
import { findAll, namesOf, readMetadata } from "./read-tuples.ts";
import type { SaverContext } from "./context.ts";
import { isInterrupt, storedWrites } from "./stored-writes.ts";

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
  const moment = olderThan?.getTime() ?? Infinity;
  const roots = (await namesOf(context, THREADS)).filter((name) => name.split("/").length === 2);
  let [removed, kept] = [0, 0];
  const leave = async (trail: string, all: readonly StoredCheckpoint[], leaving: Leaving) => {
    removed += leaving.size;
    kept += all.length - leaving.size;
    if (!dryRun) await removeFrom(context, trail, all, leaving);
  };
  for (const trail of threads?.map((thread) => trailOf(thread)) ?? roots) {
    const all = await findAll(context, trail);
    const parents = new Set(all.map(({ parent }) => parent));
    const old = all.slice(Math.max(1, keepLast)).filter(({ createdAt }) => createdAt < moment);
    const records = await store.attachments(old.map(({ id }) => id));
    // Nobody has answered yet where nothing follows.
    const leaving = new Set(
      old.filter(({ id }) => parents.has(id) || !storedWrites(records.get(id)).some(isInterrupt)),
    );
    const { foreignId: oldest = "" } = all.findLast((each) => !leaving.has(each)) ?? {};
    await leave(trail, all, leaving);
    for (const name of await namesOf(context, `${trail}/`)) {
      const below = await findAll(context, name);
      // A subgraph's checkpoints come after the one of the thread that they belong to, and are of no use without it.
      await leave(name, below, new Set((below[0]?.foreignId ?? "") < oldest ? below : []));
    }
  }
  const { bytesFreed } = dryRun ? { bytesFreed: 0 } : await store.sweep();
  return { removed, kept, bytesFreed };
}

/** Removes what certain runs wrote, wherever it is. */
export async function removeRuns(context: SaverContext, runIds: readonly string[]): Promise<void> {
  for (const trail of await namesOf(context, THREADS)) {
    const all = await findAll(context, trail);
    const leaving = new Set<StoredCheckpoint>();
    for (const each of all)
      if (runIds.includes((await readMetadata(context, each))["run_id"] as string)) leaving.add(each);
    await removeFrom(context, trail, all, leaving);
  }
}

type Leaving = ReadonlySet<StoredCheckpoint>;

/** Removes checkpoints of a trail, newest first. Those that lose their parent keep what they took from their ancestors. */
async function removeFrom(
  context: SaverContext,
  trail: string,
  all: readonly StoredCheckpoint[],
  leaving: Leaving,
): Promise<void> {
  const { store } = context;
  const gone = new Set<ObjectId | undefined>([...leaving].map(({ id }) => id));
  const staying = all.filter((each) => !leaving.has(each));
  const [newest] = staying;
  if (gone.size === 0) return;
  for (const each of staying) {
    const records = gone.has(each.parent) ? await recordsOfAncestors(context, each) : new Map();
    if (records.size > 0) await store.attach(each.id, records);
  }
  const head = await store.head(trail);
  // The head cannot be removed: what remains as the newest takes its place first.
  if (newest && gone.has(head))
    await store.commit({ ...commitOfStored(newest), trail, head: { from: head } });
  await store.remove(newest ? { checkpoints: [...leaving].map(({ id }) => id) } : { trails: [trail] });
}
