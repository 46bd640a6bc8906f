import { insteadOf } from "../../core/errors.ts";
import type { UnloadedCheckpoint } from "../../core/trails/document.ts";
import { diffStates } from "../../core/objects/diff.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { ReadObjects } from "../../core/objects/read-tree.ts";
import type { Store } from "../../core/store/contract.ts";
import { readAt } from "../../core/trails/diff/read-at.ts";
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
  const known = await readWhole(store, [...new Set(first)]);
  return async (ids) => {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length > 0) for (const [id, bytes] of await store.readObjects(missing)) known.set(id, bytes);
    return known;
  };
}

/** Those that can be read. One that is damaged must not hide the others, and shows when it is asked for alone. */
export async function readWhole(
  store: Pick<Store, "readObjects">,
  ids: readonly ObjectId[],
): Promise<Map<ObjectId, Uint8Array>> {
  const all = await store.readObjects(ids).catch(insteadOf("corrupt", undefined));
  if (all !== undefined) return all;
  const whole = new Map<ObjectId, Uint8Array>();
  for (const id of ids) {
    const found = await store.readObjects([id]).catch(insteadOf("corrupt", []));
    for (const [each, bytes] of found) whole.set(each, bytes);
  }
  return whole;
}
