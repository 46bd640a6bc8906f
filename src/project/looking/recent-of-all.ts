import type { ObjectId } from "../../objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../store/contract.ts";

import { type Filter, filteredHistory } from "./filter.ts";

/**
 * The newest checkpoints of all trails, newest first, and the heads of these trails. Only as many trails are looked
 * at as there are checkpoints asked for: a trail that moved before all of those has none among them.
 */
export async function recentOfAll(
  store: Store,
  limit: number,
  filter?: Filter,
): Promise<{ checkpoints: StoredCheckpoint[]; heads: ReadonlySet<ObjectId> }> {
  const all = await store.trails();
  const trails = filter === undefined ? all.slice(0, limit) : all;
  // By id, because an imported trail may hold checkpoints that another one here has too.
  const found = new Map<ObjectId, StoredCheckpoint>();
  for (const { name } of trails) {
    for (const stored of await filteredHistory(store, name, { limit, filter }))
      if (!found.has(stored.id)) found.set(stored.id, stored);
  }
  return {
    checkpoints: [...found.values()].toSorted((a, b) => b.sequence - a.sequence).slice(0, limit),
    heads: new Set(trails.map(({ head }) => head)),
  };
}
