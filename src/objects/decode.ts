import { checkPart, checkPlace, childOf } from "./container.ts";
import { copyJson, setOwn, type Json, type JsonObject, type Path } from "./json.ts";
import {
  idsOf,
  malformed,
  parseBody,
  type Child,
  type IndexKind,
  type Link,
  type ParsedObject,
  type Target,
} from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readTrees, type ReadObjects } from "./read-tree.ts";

type Objects = ReadonlyMap<ObjectId, ParsedObject>;

/** Reads a state back: a fresh value that the caller may change. */
export async function decode(root: ObjectId, read: ReadObjects): Promise<Json> {
  return decodeTarget(root, read);
}

/** Reads what stands in a linked place. */
export async function decodeTarget(target: Target, read: ReadObjects): Promise<Json> {
  return assemble(target, await readTrees(idsOf(target), read));
}

/** A fresh copy of a value, with everything that is linked into it. */
export async function decodeLinked(json: Json, links: readonly Link[], read: ReadObjects): Promise<Json> {
  const objects = await readTrees(
    links.flatMap(({ target }) => idsOf(target)),
    read,
  );
  return fill(copyJson(json), links, objects);
}

function assemble(target: Target, objects: Objects): Json {
  if (typeof target !== "string") return concatenate(target.kind, target.children, objects);
  const object = objects.get(target) as ParsedObject;
  if ("children" in object) return concatenate(object.kind, object.children, objects);
  return fill(parseBody(object), object.links, objects);
}

function fill(json: Json, links: readonly Link[], objects: Objects): Json {
  let whole = json;
  for (const { path, target } of links) whole = place(whole, path, assemble(target, objects));
  return whole;
}

function concatenate(kind: IndexKind, children: readonly Child[], objects: Objects): Json {
  const parts = children.map(([count, id]) => {
    const part = assemble(id, objects);
    checkPart(kind, count, part);
    return part;
  });
  if (kind === "A") return joinArrays(parts as Json[][]);
  if (kind === "S") return (parts as string[]).join("");
  return joinObjects(parts as JsonObject[]);
}

function joinArrays(parts: readonly Json[][]): Json[] {
  const result: Json[] = [];
  for (const part of parts) for (const element of part) result.push(element);
  return result;
}

function joinObjects(parts: readonly JsonObject[]): JsonObject {
  const result: JsonObject = {};
  for (const part of parts) {
    for (const key of Object.keys(part)) {
      if (Object.hasOwn(result, key)) throw malformed("has a key in two of its children");
      setOwn(result, key, part[key] as Json);
    }
  }
  return result;
}

/** Puts a linked value into its place, where the body holds 0; returns the whole. */
export function place(whole: Json, path: Path, value: Json): Json {
  const last = path.at(-1);
  if (last === undefined) {
    checkPlace(whole);
    return value;
  }
  let container: Json = whole;
  for (const step of path.slice(0, -1)) container = childOf(container, step);
  checkPlace(childOf(container, last));
  if (Array.isArray(container)) container[last as number] = value;
  else setOwn(container as JsonObject, last as string, value);
  return whole;
}
