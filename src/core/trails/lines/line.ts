import { readCheckpoint } from "../document.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Descended, Store } from "../../store/contract.ts";

/** Most pushes need a few checkpoints; pages grow for those that need many. */
const FIRST_PAGE = 16;
const LARGEST_PAGE = 1024;

export interface LinedUp extends Descended {
  /** What it follows in the line: its parent, or the nearest ancestor where that was pruned. */
  readonly after: ObjectId | undefined;
}

export interface Line {
  /** Ancestors first. */
  readonly checkpoints: readonly LinedUp[];
  /** Whether the head descends from `after`. Every head descends from undefined. */
  readonly isWhole: boolean;
}

/**
 * The head and its ancestors, by parents and joins, without `after` and its ancestors. One that was pruned is passed
 * over, and still counts as found: its tombstone says where it stood.
 */
export async function lineBetween(store: Store, after: ObjectId | undefined, head: ObjectId): Promise<Line> {
  const { start, straight, hasJoins } = await descendStraight(store, after, head);
  if (start === undefined || !hasJoins) return straight;
  // Joined lines may have begun before `after`: what that one comes from is not wanted again.
  const passed = new Set<ObjectId>();
  if (start.end !== undefined) await descendWithJoins({ store }, start.end, passed);
  return descendWithJoins(start, head, passed);
}

/** Whether `head` is `id` or descends from it, by parents or joins. */
export async function isPartOf(store: Store, id: ObjectId, head: ObjectId | undefined): Promise<boolean> {
  if (head === undefined) return false;
  const { start, straight, hasJoins } = await descendStraight(store, id, head);
  if (start === undefined || straight.isWhole || !hasJoins) return straight.isWhole;
  return (await descendWithJoins(start, head, new Set())).isWhole;
}

/** The usual case: by parents alone. */
async function descendStraight(store: Store, after: ObjectId | undefined, head: ObjectId) {
  if (after !== undefined && !(await isKnown(store, after)))
    return { straight: { checkpoints: [], isWhole: false }, hasJoins: false };
  const start: LineStart = { store, after, end: await presentAncestor(store, after) };
  const straight = await descend(start, head, new Set());
  return { start, straight, hasJoins: straight.checkpoints.some(mergedFrom) };
}

/** Whether a checkpoint is here, or was until it was pruned. */
export async function isKnown(store: Store, id: ObjectId): Promise<boolean> {
  return (await store.readObjects([id])).size > 0 || (await store.tombstone(id)) !== undefined;
}

interface LineStart {
  readonly store: Store;
  readonly after?: ObjectId | undefined;
  /** Where a descent ends that comes by `after`: that one, or its nearest ancestor if it was pruned. */
  readonly end?: ObjectId | undefined;
}

async function descendWithJoins(start: LineStart, head: ObjectId, passed: Set<ObjectId>): Promise<Line> {
  const { checkpoints, isWhole } = await descend(start, head, passed);
  const all: LinedUp[] = [];
  let isFound = isWhole;
  for (const checkpoint of checkpoints) {
    const merged = mergedFrom(checkpoint);
    if (merged !== undefined) {
      const joined = await descendWithJoins(start, merged, passed);
      all.push(...joined.checkpoints);
      isFound ||= joined.isWhole;
    }
    all.push(checkpoint);
  }
  return { checkpoints: all, isWhole: isFound };
}

/** Follows the parents of `head` to the end, or to one that was passed before; those on the way count as passed. */
async function descend(
  { store, after, end }: LineStart,
  head: ObjectId,
  passed: Set<ObjectId>,
): Promise<Line> {
  const newestFirst: Descended[] = [];
  let [named, next, limit]: [ObjectId | undefined, ObjectId | undefined, number] = [head, head, FIRST_PAGE];
  const isOver = (id: ObjectId | undefined) => id === undefined || id === end || passed.has(id);
  for (;;) {
    next = await presentAncestor(store, named);
    if (isOver(next)) break;
    const page = await store.lineage(next as ObjectId, { limit });
    const stop = page.findIndex(({ id }) => isOver(id));
    const found = stop === -1 ? page : page.slice(0, stop);
    newestFirst.push(...found);
    named = found.at(-1)?.parent;
    limit = Math.min(limit * 2, LARGEST_PAGE);
  }
  for (const { id } of newestFirst) passed.add(id);
  const isWhole = after === end ? next === end : await isPruned(store, named, after as ObjectId);
  const before = isWhole ? after : next;
  return {
    checkpoints: newestFirst
      .map((checkpoint, index) => ({ ...checkpoint, after: newestFirst[index + 1]?.id ?? before }))
      .toReversed(),
    isWhole,
  };
}

function mergedFrom({ id, bytes }: Descended): ObjectId | undefined {
  return readCheckpoint(id, bytes).info.merged_from;
}

/** Whether `wanted` is among the pruned ones from `from` on. */
async function isPruned(store: Store, from: ObjectId | undefined, wanted: ObjectId): Promise<boolean> {
  for (let at = from; at !== undefined; at = (await store.tombstone(at))?.parent)
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
