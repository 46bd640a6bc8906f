import { isCheckpointError } from "../errors.ts";
import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";

/** Bounds how many checkpoints are in memory with their bytes. */
const PAGE = 500;

/** Prunes that may get in the way before something else must be wrong. */
const MAX_RESTARTS = 5;

/** What somebody needs of every checkpoint of a trail, newest first: a long history is never in memory as a whole. */
export async function collectHistory<T>(
  store: Store,
  trail: string,
  pick: (stored: StoredCheckpoint) => T,
): Promise<T[]> {
  for (let restarts = 0; ; restarts++) {
    try {
      return await collectOnce(store, trail, pick);
    } catch (error) {
      // Somebody pruned the very checkpoint that the next page begins before.
      if (!isCheckpointError(error, "not-found") || restarts >= MAX_RESTARTS) throw error;
    }
  }
}

async function collectOnce<T>(
  store: Store,
  trail: string,
  pick: (stored: StoredCheckpoint) => T,
): Promise<T[]> {
  const picked: T[] = [];
  for (let before: ObjectId | undefined; ;) {
    const page = await store.history(trail, { limit: PAGE, ...(before !== undefined && { before }) });
    for (const stored of page) picked.push(pick(stored));
    before = page.at(-1)?.id;
    if (page.length < PAGE) return picked;
  }
}
