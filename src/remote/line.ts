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
  const line: Descended[] = [];
  let limit = FIRST_PAGE;
  for (let next: ObjectId | undefined = head; next !== undefined;) {
    const page = await store.lineage(next, { limit });
    for (const checkpoint of page) {
      if (checkpoint.id === after) return { checkpoints: line.toReversed(), isWhole: true };
      line.push(checkpoint);
      if (after !== undefined && (await isPruned(store, checkpoint.parent, after)))
        return { checkpoints: line.toReversed(), isWhole: true };
    }
    next = page.length < limit ? undefined : await presentAncestor(store, page.at(-1)?.parent);
    limit = Math.min(limit * 2, LARGEST_PAGE);
  }
  return { checkpoints: line.toReversed(), isWhole: after === undefined };
}

/** Whether `wanted` is the first of these that is present no more, or one of the pruned ones below it. */
async function isPruned(store: Store, parent: ObjectId | undefined, wanted: ObjectId): Promise<boolean> {
  for (let at = parent; at !== undefined;) {
    const tombstone = await store.tombstone(at);
    if (tombstone === undefined) return false;
    if (at === wanted) return true;
    at = tombstone.parent;
  }
  return false;
}

async function presentAncestor(store: Store, from: ObjectId | undefined): Promise<ObjectId | undefined> {
  for (let at = from; at !== undefined;) {
    const tombstone = await store.tombstone(at);
    if (tombstone === undefined) return at;
    at = tombstone.parent;
  }
  return undefined;
}
