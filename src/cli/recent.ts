import type { ObjectId } from "../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";

/**
 * The newest checkpoints of all trails, newest first, and the heads of these trails. Only as many trails are looked
 * at as there are checkpoints asked for: a trail that moved before all of those has none among them.
 */
export async function recentOfAll(
  store: Store,
  limit: number,
): Promise<{ checkpoints: StoredCheckpoint[]; heads: ReadonlySet<ObjectId> }> {
  const trails = (await store.trails()).slice(0, limit);
  const found: StoredCheckpoint[] = [];
  for (const { name } of trails) found.push(...(await store.history(name, { limit })));
  return {
    checkpoints: found.toSorted((a, b) => b.sequence - a.sequence).slice(0, limit),
    heads: new Set(trails.map(({ head }) => head)),
  };
}
