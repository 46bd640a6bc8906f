import type { Json, JsonObject } from "./json.ts";
import { malformed, type Child, type IndexKind, type Link } from "./object-format.ts";

/** One entry of an array or object, and the links that lead into it. */
export interface LinkedEntry {
  readonly key: string;
  readonly json: Json;
  readonly links: readonly Link[];
}

const NO_LINKS: readonly Link[] = [];

/** The entries of an array or object, each with its own links. Throws `corrupt` for a link that leads to none. */
export function entriesIn(container: Json, links: readonly Link[]): LinkedEntry[] {
  if (typeof container !== "object" || container === null) throw malformed("has no entries where it should");
  const inside = new Map<string, Link[]>();
  for (const { path, target } of links) {
    const [step, ...rest] = path;
    checkPlace(childOf(container, step), rest.length === 0);
    const own = inside.get(String(step));
    if (own) own.push({ path: rest, target });
    else inside.set(String(step), [{ path: rest, target }]);
  }
  return Object.keys(container).map((key) => ({
    key,
    json: (container as JsonObject)[key] as Json,
    links: inside.get(key) ?? NO_LINKS,
  }));
}

/** What stands at a step of a link's path. Throws `corrupt` when nothing does. */
export function childOf(container: Json, step: string | number | undefined): Json {
  const isThere = Array.isArray(container)
    ? typeof step === "number" && Object.hasOwn(container, step)
    : typeof container === "object" &&
      container !== null &&
      typeof step === "string" &&
      Object.hasOwn(container, step);
  if (!isThere) throw malformed("has a link to a place that its body does not have");
  return (container as JsonObject)[step as string] as Json;
}

/** Where a linked value belongs, the body holds 0. */
export function checkPlace(json: Json, isLinked = true): void {
  if (isLinked && json !== 0) throw malformed("has a link to a place that holds something else");
}

/** Makes sure that a child of an index is what the index says: so many elements, entries or characters. */
export function checkPart(kind: IndexKind, count: number, part: Json): void {
  if (lengthAs(kind, part) !== count) throw malformed(`of kind ${kind} has a child that does not fit`);
}

/** The same for a child that is an index itself. */
export function checkIndex(
  kind: IndexKind,
  count: number,
  index: { readonly kind: IndexKind; readonly children: readonly Child[] },
): void {
  const sum = index.children.reduce((total, [childCount]) => total + childCount, 0);
  if (index.kind !== kind || sum !== count) throw malformed(`of kind ${kind} has a child that does not fit`);
}

/** Makes sure that the children of a map have no key in common. */
export function checkKeys(keys: readonly (string | number)[]): void {
  if (new Set(keys).size < keys.length) throw malformed("has a key in two of its children");
}

function lengthAs(kind: IndexKind, part: Json): number | undefined {
  if (kind === "S") return typeof part === "string" ? part.length : undefined;
  if (typeof part !== "object" || part === null || Array.isArray(part) !== (kind === "A")) return undefined;
  return Array.isArray(part) ? part.length : Object.keys(part).length;
}
