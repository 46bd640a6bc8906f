import type { ObjectId } from "../objects/object-id.ts";
import type { RemovalResult } from "./contract.ts";

/** A record whose key begins like this keeps its checkpoint from removal. */
export const PIN_PREFIX = "pin/";

type Kept = RemovalResult["kept"][number];

/** A checkpoint's place in a trail. */
export interface Place {
  readonly id: ObjectId;
  readonly trail: string;
  readonly parent: ObjectId | undefined;
}

export interface RemovalRules {
  isHead(place: Place): boolean;
  isPinned(id: ObjectId): boolean;
}

/**
 * Decides which of the candidates really go. A fork point is kept for what is left of other trails: removing
 * a parent together with its only child elsewhere removes both, so a second call finds nothing more to do.
 */
export function planRemoval<P extends Place>(
  all: readonly P[],
  candidates: ReadonlySet<P>,
  rules: RemovalRules,
): { removed: P[]; kept: Kept[] } {
  const kept = new Map<P, Kept["reason"]>();
  for (const place of candidates) {
    if (rules.isHead(place)) kept.set(place, "head");
    else if (rules.isPinned(place.id)) kept.set(place, "pinned");
  }
  const byId = Map.groupBy(candidates, (place) => place.id);
  const placesOf = Map.groupBy(all, (place) => place.id);
  const staying = new Set([...all].filter((place) => !candidates.has(place) || kept.has(place)));
  // What stays as a fork point may need its own parent in turn, so the set grows while it is walked.
  for (const child of staying) {
    if (child.parent === undefined) continue;
    // A child whose own trail holds its parent too does not need it elsewhere.
    if (placesOf.get(child.parent)?.some((place) => place.trail === child.trail)) continue;
    for (const place of byId.get(child.parent) ?? []) {
      if (kept.has(place) || place.trail === child.trail) continue;
      kept.set(place, "fork point");
      staying.add(place);
    }
  }
  return {
    removed: [...candidates].filter((place) => !kept.has(place)),
    kept: [...kept].map(([{ id }, reason]) => ({ id, reason })),
  };
}
