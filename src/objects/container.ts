import type { Json, JsonObject } from "./json.ts";
import { malformed, type Child, type IndexKind, type Link } from "./object-format.ts";

const NO_LINKS: readonly Link[] = [];

/** Maps each entry of an array or object, with the links that lead into it. Throws `corrupt` for a link that leads to none. */
export function mapEntries<T>(
  container: Json,
  links: readonly Link[],
  map: (json: Json, links: readonly Link[], key: string | number) => T,
): T[] {
  if (typeof container !== "object" || container === null) throw malformed("has no entries where it should");
  const inside = new Map<string | number | undefined, Link[]>();
  for (const { path, target } of links) {
    const [step, ...rest] = path;
    const child = childOf(container, step);
    if (rest.length === 0) checkPlace(child);
    const own = inside.get(step);
    if (own) own.push({ path: rest, target });
    else inside.set(step, [{ path: rest, target }]);
  }
  const linksOf = (key: string | number) => (links.length > 0 && inside.get(key)) || NO_LINKS;
  if (Array.isArray(container)) return container.map((json, at) => map(json, linksOf(at), at));
  return Object.keys(container).map((key) => map(container[key] as Json, linksOf(key), key));
}

/** What stands at a step of a link's path. Throws `corrupt` when nothing does. */
function childOf(container: Json, step: string | number | undefined): Json {
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
export function checkPlace(json: Json): void {
  if (json !== 0) throw malformed("has a link to a place that holds something else");
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
