import { linksOf } from "../objects/object-format.ts";
import { objectIdOf, type ObjectId } from "../objects/object-id.ts";
import type { Damage } from "./contract.ts";
import { reachableFrom, referrers } from "./reachable.ts";

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
  const links = new Map<ObjectId, readonly ObjectId[]>();
  const damaged = new Set<ObjectId>();
  for (const [id, bytes] of objects) {
    const found = soundLinks(id, bytes);
    if (found === undefined) damaged.add(id);
    links.set(id, found ?? []);
  }

  const roots = new Set(checkpoints);
  const wanted = new Set([...roots, ...[...links.values()].flat()]);
  const missing = [...wanted].filter((id) => !links.has(id));
  const upwards = referrers(links);
  const costsOf = (id: ObjectId) =>
    [...reachableFrom([id], (from) => upwards.get(from) ?? [])].filter((reached) => roots.has(reached));

  return [
    ...[...damaged].map((id) => damage("damaged", id, costsOf(id))),
    ...missing.map((id) => damage("missing", id, costsOf(id))),
  ];
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
