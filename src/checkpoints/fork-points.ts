import type { ObjectId } from "../objects/object-id.ts";
import type { Place } from "../store/removal-plan.ts";

/** The parent of a checkpoint that was removed earlier, as its tombstone tells. */
type ParentOfRemoved = (id: ObjectId) => ObjectId | undefined;

/**
 * Which of the leaving must stay, because what stays of another trail descends from them. The line from there up may
 * lead through checkpoints that leave now or left long ago: a fork that was pruned is still a fork.
 */
export function findForkPoints<P extends Place>(
  all: readonly P[],
  leaving: ReadonlySet<P>,
  parentOfRemoved: ParentOfRemoved = () => undefined,
): Set<P> {
  const placesOf = Map.groupBy(all, ({ id }) => id);
  const forkPoints = new Set<P>();
  const staying = new Set(all.filter((place) => !leaving.has(place)));
  const passed = new Set<string>();
  const trailsLeft = new Set(Array.from(leaving, ({ trail }) => trail));
  // What stays as a fork point may need its own in turn, so the set grows while it is walked.
  for (const { trail, parent } of staying) {
    // A line can only keep what leaves from another trail than its own: thinning one trail need not walk up its history.
    if (trailsLeft.size === 0 || (trailsLeft.size === 1 && trailsLeft.has(trail))) continue;
    for (let id = parent; id !== undefined;) {
      // Lines that meet go on together: each is walked once.
      if (passed.has(id + trail)) break;
      passed.add(id + trail);
      const places = placesOf.get(id) ?? [];
      const own = places.find((place) => place.trail === trail);
      if (own && staying.has(own)) break;
      if (own === undefined && places.length > 0) {
        for (const place of places) {
          if (leaving.has(place)) forkPoints.add(place);
          staying.add(place);
        }
        break;
      }
      // A parent in the child's own trail is mere history, even if another trail shares it.
      id = own ? own.parent : parentOfRemoved(id);
    }
  }
  return forkPoints;
}
