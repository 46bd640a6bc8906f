import { CheckpointError, isCheckpointError } from "../errors.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  linkedIds,
  malformed,
  parseObject,
  type Child,
  type IndexKind,
  type Link,
  type ParsedObject,
} from "./object-format.ts";
import { objectIdOf, type ObjectId } from "./object-id.ts";

/** Reads objects in one round trip. What is missing is left out of the result. */
export type ReadObjects = (ids: readonly ObjectId[]) => Promise<ReadonlyMap<ObjectId, Uint8Array>>;

/**
 * Reads objects and all that they refer to, each checked against its name, level by level: each level is one round trip
 * for all of them. What is `known` already is not read again.
 */
export async function readTrees(
  roots: readonly ObjectId[],
  read: ReadObjects,
  known: ReadonlyMap<ObjectId, ParsedObject> = new Map(),
): Promise<Map<ObjectId, ParsedObject>> {
  const parsed = new Map<ObjectId, ParsedObject>();
  for (let wanted = [...new Set(roots)]; wanted.length > 0;) {
    const found = await readParsed(
      wanted.filter((id) => !known.has(id)),
      read,
    );
    for (const id of wanted) found.set(id, (found.get(id) ?? known.get(id)) as ParsedObject);
    for (const [id, object] of found) parsed.set(id, object);
    const linked = new Set([...found.values()].flatMap(linkedIds));
    wanted = [...linked].filter((id) => !parsed.has(id));
  }
  return parsed;
}

/** Reads objects that must be there, in one round trip, and takes them apart. */
export async function readParsed(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, ParsedObject>> {
  if (ids.length === 0) return new Map();
  const found = await readChecked(ids, read);
  return new Map([...found].map(([id, bytes]) => [id, parseObject(bytes)]));
}

/** Reads objects that must be there, and makes sure that they are what their names say. */
export async function readChecked(
  ids: readonly ObjectId[],
  read: ReadObjects,
): Promise<Map<ObjectId, Uint8Array>> {
  const found = await read(ids);
  const checked = new Map<ObjectId, Uint8Array>();
  for (const id of ids) {
    const bytes = found.get(id);
    if (bytes === undefined) throw missingObject(id);
    if (objectIdOf(bytes) !== id) throw damagedObject(id);
    checked.set(id, bytes);
  }
  return checked;
}

/** What holds if it is part of a trail's head; for anything else it changes nothing. */
const GO_ON = "To continue from the newest intact checkpoint: checkpoint verify --repair";

function missingObject(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is missing from the store.`, {
    hint: GO_ON,
    details: { object: id, damage: "missing" },
  });
}

/** Whether an object was looked for and not found, as opposed to damaged. */
export function isMissingObject(error: unknown): boolean {
  return isCheckpointError(error, "corrupt") && error.details["damage"] === "missing";
}

export function damagedObject(id: ObjectId): CheckpointError {
  return new CheckpointError("corrupt", `Object ${id} is damaged: its content does not match its name.`, {
    hint: GO_ON,
    details: { object: id, damage: "damaged" },
  });
}

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

/** Throws `corrupt` unless every link leads to a place of the value that holds 0. */
export function checkPlaces(json: Json, links: readonly Link[]): void {
  if (links.length > 0 && links[0]?.path.length !== 0) mapEntries(json, links, checkPlaces);
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
