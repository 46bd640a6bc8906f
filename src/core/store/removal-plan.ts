import type { ObjectId } from "../objects/object-id.ts";
import type { Removal, RemovalResult } from "./contract.ts";
import { isHidden } from "./hidden-trails.ts";

/** A record whose key begins like this keeps its checkpoint from removal. */
export const PIN_PREFIX = "pin/";

/** A checkpoint's place in a trail, and what decides whether it may go. */
export interface Candidate {
  readonly id: ObjectId;
  readonly trail: string;
  readonly isHead: boolean;
  readonly isPinned: boolean;
  /** The trails that forked here: some checkpoint of theirs, removed or not, had this one as its parent. */
  readonly forkedBy: Iterable<string>;
  /** How many checkpoints its trail has; if not all of them are candidates, any larger number will do. */
  readonly places: number;
}

/**
 * Decides what goes of all places of the checkpoints, and all that is in the trails, that a removal names. A fork point
 * stays as long as the trail that forked there has checkpoints: which of them descend from it need not be found out, so a
 * removal costs what it removes.
 *
 * @example
 * const { leaving, result } = planRemoval(removal, candidates);
 */
export function planRemoval<Place extends Candidate>(
  { checkpoints = [], trails = [] }: Removal,
  candidates: readonly Place[],
): { leaving: Place[]; result: RemovalResult } {
  const doomed = new Set(trails);
  const leaving = new Set(candidates.filter(({ trail }) => !isHidden(trail) || doomed.has(trail)));
  const kept: RemovalResult["kept"][number][] = [];
  const keep = (place: Place, reason: "head" | "pinned" | "fork point") => {
    leaving.delete(place);
    kept.push({ id: place.id, reason });
  };
  for (const place of leaving) {
    // A trail that is removed has no head any more, even where one of its checkpoints must stay.
    if (place.isHead && !doomed.has(place.trail)) keep(place, "head");
    else if (place.isPinned) keep(place, "pinned");
  }
  const left = new Map<string, number>();
  for (const { trail, places } of leaving) left.set(trail, (left.get(trail) ?? places) - 1);
  const stays = (trail: string) => left.get(trail) !== 0;
  const isForkPoint = ({ forkedBy, trail }: Place) =>
    [...forkedBy].some((other) => other !== trail && stays(other));
  // A trail that must keep a fork point is not empty any more, and keeps the ones that it forked from itself.
  for (let before = -1; before !== leaving.size;) {
    before = leaving.size;
    for (const place of leaving) {
      if (!isForkPoint(place)) continue;
      keep(place, "fork point");
      left.set(place.trail, (left.get(place.trail) ?? 0) + 1);
    }
  }
  const known = new Set(candidates.map(({ id }) => id));
  for (const id of new Set(checkpoints)) if (!known.has(id)) kept.push({ id, reason: "not found" });
  return { leaving: [...leaving], result: { removed: [...new Set([...leaving].map(({ id }) => id))], kept } };
}
