import type { ObjectId } from "../objects/object-id.ts";

/** Leads from an object to its neighbours: the ones it refers to, or the ones that refer to it. */
export type Neighbours = (id: ObjectId) => Iterable<ObjectId>;

/**
 * These objects and everything on the way from them. A loop, so that a long chain cannot overflow the stack.
 *
 * @example
 * const live = reachableFrom(checkpointIds, (id) => linksOf(objects.get(id)));
 */
export function reachableFrom(starts: Iterable<ObjectId>, neighbours: Neighbours): Set<ObjectId> {
  const reached = new Set(starts);
  // A set that is iterated also yields what is added meanwhile, so this is the whole walk.
  for (const id of reached) for (const next of neighbours(id)) reached.add(next);
  return reached;
}

/** Turns links around: from each object to the ones that refer to it. */
export function referrers(links: ReadonlyMap<ObjectId, readonly ObjectId[]>): Map<ObjectId, ObjectId[]> {
  const result = new Map<ObjectId, ObjectId[]>();
  for (const [from, targets] of links) {
    for (const target of targets) {
      const known = result.get(target);
      if (known) known.push(from);
      else result.set(target, [from]);
    }
  }
  return result;
}
