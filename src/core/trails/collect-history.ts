import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";

/** Bounds how many checkpoints are in memory with their bytes. */
const PAGE = 500;

/** Prunes that may get in the way before something else must be wrong. */
const MAX_RESTARTS = 5;

/** What the caller needs of every checkpoint of a trail, newest first, without a long history in memory as a whole. */
export async function collectHistory<T>(
  store: Store,
  trail: string,
  pick: (stored: StoredCheckpoint) => T,
): Promise<T[]> {
  let restarts = 0;
  for (let picked: T[] = [], before: ObjectId | undefined; ;) {
    try {
      const page = await store.history(trail, { limit: PAGE, before });
      picked.push(...page.map(pick));
      before = page.at(-1)?.id;
      if (page.length < PAGE) return picked;
    } catch (error) {
      // A prune removed the very checkpoint that the next page begins before: start over.
      if (!isCheckpointError(error, "not-found") || ++restarts > MAX_RESTARTS) throw error;
      picked = [];
      before = undefined;
    }
  }
}
