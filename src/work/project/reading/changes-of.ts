import { readCheckpoint, type UnloadedCheckpoint } from "../../../core/trails/document.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readTrees, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { cachedReader, diffCheckpoints, readWhole } from "../../state/diff-checkpoints.ts";
import type { WorkDiff } from "../../state/work-diff.ts";

/** What each of these checkpoints changed. Null for the first of a trail, and where the one before cannot be read. */
export async function changesOf(
  store: Store,
  checkpoints: readonly StoredCheckpoint[],
): Promise<Map<ObjectId, WorkDiff | "damaged" | null>> {
  const heads = readable(checkpoints.map(({ id, bytes }) => [id, bytes]));
  const missing = checkpoints.flatMap(({ parent }) => (parent && !heads.has(parent) ? [parent] : []));
  // What was pruned is left out by the store.
  for (const [id, head] of readable(await readWhole(store, missing))) heads.set(id, head);
  const read = await cachedReader(
    store,
    [...heads.values()].map(({ root }) => root),
  );
  const changes = new Map<ObjectId, WorkDiff | "damaged" | null>();
  for (const { id, parent } of checkpoints) {
    const after = heads.get(id);
    changes.set(id, after ? await changesBetween(parent && heads.get(parent), after, read) : "damaged");
  }
  return changes;
}

/** Those that are not damaged. */
function readable(objects: Iterable<readonly [ObjectId, Uint8Array]>): Map<ObjectId, UnloadedCheckpoint> {
  const found = new Map<ObjectId, UnloadedCheckpoint>();
  for (const [id, bytes] of objects)
    try {
      found.set(id, readCheckpoint(id, bytes));
    } catch (error) {
      if (!isCheckpointError(error, "corrupt")) throw error;
    }
  return found;
}

async function changesBetween(
  before: UnloadedCheckpoint | undefined,
  after: UnloadedCheckpoint,
  read: ReadObjects,
): Promise<WorkDiff | "damaged" | null> {
  try {
    return before ? await diffCheckpoints(before, after, read) : null;
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    // Either of the two may be the damaged one.
    return readTrees([after.root], read).then(
      () => null,
      () => "damaged",
    );
  }
}
