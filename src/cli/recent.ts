import { infoOfStored, type CheckpointInfo } from "../checkpoints/document.ts";
import type { Store, StoredCheckpoint } from "../store/contract.ts";

export interface Recent {
  readonly info: CheckpointInfo;
  /** Whether it is the newest of its trail. */
  readonly isHead: boolean;
}

/**
 * The newest checkpoints of all trails, newest first. Only as many trails are looked at as there are checkpoints
 * asked for: a trail that moved before all of those has none among them.
 */
export async function recentOfAll(store: Store, limit: number): Promise<Recent[]> {
  const trails = (await store.trails()).slice(0, limit);
  const heads = new Set(trails.map(({ head }) => head));
  const found: StoredCheckpoint[] = [];
  for (const { name } of trails) found.push(...(await store.history(name, { limit })));
  return found
    .toSorted((a, b) => b.sequence - a.sequence)
    .slice(0, limit)
    .map((stored) => ({ info: infoOfStored(stored), isHead: heads.has(stored.id) }));
}
