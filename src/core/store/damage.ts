import { CheckpointError } from "../errors.ts";
import { linksOf } from "../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../objects/object-id.ts";
import type { Damage } from "./contract.ts";

/** An object as a store finds it; without bytes when they could not even be read. */
export type FoundObject = readonly [id: ObjectId, bytes: Uint8Array | undefined];

/**
 * Checks every hash and every link, and says which checkpoints each damage costs. Takes the objects one by
 * one and remembers only their links, so the store may be far larger than memory.
 *
 * @example
 * const damage = damageAmong(objects.entries(), checkpointIds);
 */
export function damageAmong(objects: Iterable<FoundObject>, checkpoints: Iterable<ObjectId>): Damage[] {
  const search = new DamageSearch();
  for (const [id, bytes] of objects) search.add(id, bytes);
  return search.damage(checkpoints);
}

/** The same for a store that finds its objects bit by bit. */
export class DamageSearch {
  readonly #links = new Map<ObjectId, readonly ObjectId[]>();
  readonly #damaged = new Set<ObjectId>();

  add(id: ObjectId, bytes: Uint8Array | undefined): void {
    const found = soundLinks(id, bytes);
    if (found === undefined) this.#damaged.add(id);
    this.#links.set(id, found ?? []);
  }

  damage(checkpoints: Iterable<ObjectId>): Damage[] {
    const roots = new Set(checkpoints);
    const wanted = new Set([...roots, ...[...this.#links.values()].flat()]);
    const missing = [...wanted].filter((id) => !this.#links.has(id));
    const upwards = referrers(this.#links);
    const costsOf = (id: ObjectId) =>
      [...reachableFrom([id], (from) => upwards.get(from) ?? [])].filter((reached) => roots.has(reached));

    return [
      ...[...this.#damaged].map((id) => damage("damaged", id, costsOf(id))),
      ...missing.map((id) => damage("missing", id, costsOf(id))),
    ];
  }
}

/** What an object refers to, or undefined when it is not what its name says. */
function soundLinks(id: ObjectId, bytes: Uint8Array | undefined): ObjectId[] | undefined {
  if (bytes === undefined || objectIdOf(bytes) !== id) return undefined;
  try {
    return linksOf(bytes);
  } catch {
    // The right bytes, but not an object: the writer was faulty, and nobody can load them.
    return undefined;
  }
}

function damage(kind: "damaged" | "missing", object: ObjectId, costs: readonly ObjectId[]): Damage {
  const how = kind === "missing" ? "is missing" : "is damaged: its content does not match its name";
  return { kind, what: `Object ${object} ${how}.`, object, costs };
}

export function headDamage(trail: string): Damage {
  return { kind: "head", what: `The head of trail "${trail}" is not one of its checkpoints.`, costs: [] };
}

/** A parent is present or has a tombstone; anything else was lost. The checkpoint itself still loads. */
export function parentDamage(object: ObjectId): Damage {
  const what = `Checkpoint ${object}, a parent, is neither there nor was it pruned.`;
  return { kind: "missing", object, what, costs: [] };
}

/** A record whose bytes are not the ones that were attached. */
export function recordDamage(key: string, subject: string): Damage {
  return { kind: "record", what: `The record "${key}" of ${subject} is damaged.`, costs: [] };
}

/** What a damaged object refers to cannot be known, so a sweep deletes nothing while there is one. */
export function nothingSwept(what: string): CheckpointError {
  return new CheckpointError("corrupt", `Nothing was deleted, because ${what}.`, {
    hint: "checkpoint verify",
  });
}

/** Leads from an object to its neighbours: the ones it refers to, or the ones that refer to it. */
export type Neighbours = (id: ObjectId) => Iterable<ObjectId>;

/**
 * These objects and everything on the way from them. A loop, so that a long chain cannot overflow the stack.
 *
 * @example
 * const live = reachableFrom(checkpointIds, (id) => linksOf(objects.get(id)!));
 */
export function reachableFrom(starts: Iterable<ObjectId>, neighbours: Neighbours): Set<ObjectId> {
  const reached = new Set(starts);
  // A set that is iterated also yields what is added meanwhile, so this is the whole walk.
  for (const id of reached) for (const next of neighbours(id)) reached.add(next);
  return reached;
}

/** Turns links around: from each object to the ones that refer to it. */
function referrers(links: ReadonlyMap<ObjectId, readonly ObjectId[]>): Map<ObjectId, ObjectId[]> {
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
