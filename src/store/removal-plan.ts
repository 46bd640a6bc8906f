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
  /** The trails that forked here: some checkpoint of theirs, removed or not, had this one as its parent. */
  forkedBy(id: ObjectId): Iterable<string>;
  placesIn(trail: string): number;
}

/**
 * Decides which of the candidates really go. A fork point stays as long as the trail that forked there has checkpoints:
 * which of them descend from it need not be found out, so a removal costs what it removes.
 *
 * @example
 * const { removed, kept } = planRemoval(candidates, { isHead, isPinned, forkedBy, placesIn });
 */
export function planRemoval<P extends Place>(
  candidates: Iterable<P>,
  rules: RemovalRules,
): { removed: P[]; kept: Kept[] } {
  const leaving = new Set(candidates);
  const kept: Kept[] = [];
  const keep = (place: P, reason: Kept["reason"]) => {
    leaving.delete(place);
    kept.push({ id: place.id, reason });
  };
  for (const place of leaving) {
    if (rules.isHead(place)) keep(place, "head");
    else if (rules.isPinned(place.id)) keep(place, "pinned");
  }
  const leavingOf = Map.groupBy(leaving, ({ trail }) => trail);
  const left = new Map(
    Array.from(leavingOf, ([trail, gone]) => [trail, rules.placesIn(trail) - gone.length]),
  );
  const stays = (trail: string) => left.get(trail) !== 0;
  const isForkPoint = ({ id, trail }: P) =>
    [...rules.forkedBy(id)].some((other) => other !== trail && stays(other));
  // A trail that must keep a fork point is not empty any more, and keeps the ones that it forked from itself.
  for (let before = -1; before !== leaving.size;) {
    before = leaving.size;
    for (const place of leaving) {
      if (!isForkPoint(place)) continue;
      keep(place, "fork point");
      left.set(place.trail, (left.get(place.trail) ?? 0) + 1);
    }
  }
  return { removed: [...leaving], kept };
}
