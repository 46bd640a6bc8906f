import type { UnloadedCheckpoint } from "../document.ts";
import { diffStates } from "../../objects/diff.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { ReadObjects } from "../../objects/read-tree.ts";
import type { Store } from "../../store/contract.ts";
import { readAt } from "./read-at.ts";
import { describeChanges, type WorkDiff } from "./work-diff.ts";

/** What changed between two checkpoints. Only what changed, and what names it, is read. */
export async function diffCheckpoints(
  from: UnloadedCheckpoint,
  to: UnloadedCheckpoint,
  read: ReadObjects,
): Promise<WorkDiff> {
  const { changes } = await diffStates(from.root, to.root, read);
  return describeChanges(changes, {
    before: async (path) => readAt(from.root, path, read),
    after: async (path) => readAt(to.root, path, read),
  });
}

/**
 * Reads each object at most once, and the `first` ones together: neighbours are stored as differences of each other,
 * so together they cost little more than one of them.
 */
export async function cachedReader(store: Store, first: readonly ObjectId[]): Promise<ReadObjects> {
  const known = new Map(await store.readObjects([...new Set(first)]));
  return async (ids) => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) for (const [id, bytes] of await store.readObjects(missing)) known.set(id, bytes);
    return known;
  };
}
