import { readCheckpoint, type UnloadedCheckpoint } from "../../checkpoints/document.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../store/contract.ts";
import { cachedReader, diffCheckpoints } from "../../checkpoints/diff/diff-checkpoints.ts";
import type { WorkDiff } from "../../checkpoints/diff/work-diff.ts";

/** What each of these checkpoints changed. Null for the first of a trail, and where the one before was pruned. */
export async function changesOf(
  store: Store,
  checkpoints: readonly StoredCheckpoint[],
): Promise<Map<ObjectId, WorkDiff | null>> {
  const heads = new Map<ObjectId, UnloadedCheckpoint>(
    checkpoints.map(({ id, bytes }) => [id, readCheckpoint(id, bytes)]),
  );
  const parents = checkpoints.flatMap(({ id, parent }) =>
    parent && !isBroughtBack(heads.get(id)) ? [parent] : [],
  );
  const missing = parents.filter((id) => !heads.has(id));
  // What was pruned is left out by the store.
  for (const [id, bytes] of await store.readObjects(missing)) heads.set(id, readCheckpoint(id, bytes));
  const read = await cachedReader(
    store,
    [...heads.values()].map(({ root }) => root),
  );
  const changes = new Map<ObjectId, WorkDiff | null>();
  for (const { id, parent } of checkpoints) {
    const before = parent && heads.get(parent);
    changes.set(id, before ? await diffCheckpoints(before, heads.get(id) as UnloadedCheckpoint, read) : null);
  }
  return changes;
}

/** A checkpoint that brings a state back says so; what that changed is rarely asked. */
function isBroughtBack(head: UnloadedCheckpoint | undefined): boolean {
  return head !== undefined && head.info.restored_from !== null;
}
