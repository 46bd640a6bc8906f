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
  /** In the order in which they were seen. */
  readonly #numbers = new Map<ObjectId, number>();
  readonly #present = new Set<number>();
  /**
   * From one object to another, in turn. Numbers in one list, because garbage collection visits every text and every list
   * that is remembered again and again, so that a large store took more than its share of time.
   */
  readonly #links: number[] = [];
  readonly #damaged = new Set<number>();

  add(id: ObjectId, bytes: Uint8Array | undefined): void {
    const number = this.#numberOf(id);
    const found = soundLinks(id, bytes);
    if (found === undefined) this.#damaged.add(number);
    for (const link of found ?? []) this.#links.push(number, this.#numberOf(link));
    this.#present.add(number);
  }

  damage(checkpoints: Iterable<ObjectId>): Damage[] {
    const roots = new Set(Array.from(checkpoints, (id) => this.#numberOf(id)));
    const ids = [...this.#numbers.keys()];
    const missing = [...ids.keys()].filter((number) => !this.#present.has(number));
    if (this.#damaged.size + missing.length === 0) return [];
    const upwards = referrers(this.#links);
    const report = (kind: "damaged" | "missing", number: number): Damage => {
      const reached = [...reachableFrom([number], (from) => upwards.get(from) ?? [])];
      const costs = reached.filter((each) => roots.has(each)).map((each) => ids[each] as ObjectId);
      return damage(kind, ids[number] as ObjectId, costs);
    };
    return [
      ...[...this.#damaged].map((number) => report("damaged", number)),
      ...missing.map((number) => report("missing", number)),
    ];
  }

  #numberOf(id: ObjectId): number {
    const known = this.#numbers.get(id);
    if (known === undefined) this.#numbers.set(id, this.#numbers.size);
    return known ?? this.#numbers.size - 1;
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
export type Neighbours<Id = ObjectId> = (id: Id) => Iterable<Id>;

/**
 * These objects and everything on the way from them. A loop, so that a long chain cannot overflow the stack.
 *
 * @example
 * const live = reachableFrom(checkpointIds, (id) => linksOf(objects.get(id)!));
 */
export function reachableFrom<Id = ObjectId>(starts: Iterable<Id>, neighbours: Neighbours<Id>): Set<Id> {
  const reached = new Set(starts);
  // A set that is iterated also yields what is added meanwhile, so this is the whole walk.
  for (const id of reached) for (const next of neighbours(id)) reached.add(next);
  return reached;
}

/** Turns links around: from each object to the ones that refer to it. */
function referrers(links: readonly number[]): Map<number, number[]> {
  const result = new Map<number, number[]>();
  for (let at = 0; at < links.length; at += 2) {
    const [from, target] = [links[at] as number, links[at + 1] as number];
    const known = result.get(target);
    if (known) known.push(from);
    else result.set(target, [from]);
  }
  return result;
}
