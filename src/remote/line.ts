import type { ObjectId } from "../objects/object-id.ts";
import type { Descended, Store } from "../store/contract.ts";

/** Most pushes need a few checkpoints; pages grow for those that need many. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 1024;

export interface Line {
  /** Oldest first, without the one that it starts after. */
  readonly checkpoints: readonly Descended[];
  /** Whether the one to start after was found. Undefined to start after counts as found at the very beginning. */
  readonly isWhole: boolean;
}

/**
 * The checkpoints from one to another along their parents. One that was pruned is passed over, and still counts as
 * found: its tombstone says where it stood.
 */
export async function lineBetween(store: Store, after: ObjectId | undefined, head: ObjectId): Promise<Line> {
  if (after !== undefined && !(await isKnown(store, after))) return { checkpoints: [], isWhole: false };
  const end = await presentAncestor(store, after);
  const newestFirst: Descended[] = [];
  let [next, limit]: [ObjectId | undefined, number] = [head, FIRST_PAGE];
  while (next !== undefined && next !== end) {
    const page: Descended[] = await store.lineage(next, { limit });
    const stop = page.findIndex(({ id }) => id === end);
    newestFirst.push(...(stop === -1 ? page : page.slice(0, stop)));
    if (stop !== -1) next = end;
    else next = page.length < limit ? undefined : await presentAncestor(store, page.at(-1)?.parent);
    limit = Math.min(limit * 2, LARGEST_PAGE);
  }
  const isWhole =
    after === end ? next === end : await isPruned(store, newestFirst.at(-1)?.parent, after as ObjectId);
  return { checkpoints: newestFirst.toReversed(), isWhole };
}

/** Whether a checkpoint is here, or was until it was pruned. */
export async function isKnown(store: Store, id: ObjectId): Promise<boolean> {
  return (await store.readObjects([id])).size > 0 || (await store.tombstone(id)) !== undefined;
}

/** Whether `wanted` is among the pruned ones from `parent` on. */
async function isPruned(store: Store, parent: ObjectId | undefined, wanted: ObjectId): Promise<boolean> {
  for (let at = parent; at !== undefined; at = (await store.tombstone(at))?.parent)
    if (at === wanted) return true;
  return false;
}

/** The checkpoint itself, or the nearest one before it that was not pruned. */
async function presentAncestor(store: Store, from: ObjectId | undefined): Promise<ObjectId | undefined> {
  for (let at = from; at !== undefined;) {
    const tombstone = await store.tombstone(at);
    if (tombstone === undefined) return at;
    at = tombstone.parent;
  }
  return undefined;
}
