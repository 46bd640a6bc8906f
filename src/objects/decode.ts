import { CheckpointError } from "../errors.ts";
import { setOwn, type Json, type JsonObject, type Path } from "./json.ts";
import type { Child, ParsedObject, Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readTree, type ReadObjects } from "./read-tree.ts";

/** Reads a state back: a fresh value that the caller may change. */
export async function decode(root: ObjectId, read: ReadObjects): Promise<Json> {
  return assemble(root, await readTree(root, read));
}

/** Reads what stands in a linked place. */
export async function decodeTarget(target: Target, read: ReadObjects): Promise<Json> {
  if (typeof target === "string") return decode(target, read);
  const objects = new Map<ObjectId, ParsedObject>();
  for (const [, id] of target.children)
    for (const [key, object] of await readTree(id, read)) objects.set(key, object);
  return concatenate(target.kind, target.children, objects);
}

function assemble(target: Target, objects: ReadonlyMap<ObjectId, ParsedObject>): Json {
  if (typeof target !== "string") return concatenate(target.kind, target.children, objects);
  const object = objects.get(target) as ParsedObject;
  if ("children" in object) return concatenate(object.kind, object.children, objects);
  let value = JSON.parse(object.body) as Json;
  for (const link of object.links) value = place(value, link.path, assemble(link.target, objects));
  return value;
}

function concatenate(
  kind: "A" | "M" | "S",
  children: readonly Child[],
  objects: ReadonlyMap<ObjectId, ParsedObject>,
): Json {
  const parts = children.map(([, id]) => assemble(id, objects));
  if (kind === "A") return joinArrays(parts);
  if (kind === "S") return (parts as string[]).join("");
  const result: JsonObject = {};
  for (const part of parts as JsonObject[]) {
    for (const key of Object.keys(part)) setOwn(result, key, part[key] as Json);
  }
  return result;
}

function joinArrays(parts: readonly Json[]): Json[] {
  const result: Json[] = [];
  for (const part of parts as Json[][]) for (const element of part) result.push(element);
  return result;
}

/** Puts a linked value into its place, where the body holds 0; returns the whole. */
export function place(whole: Json, path: Path, value: Json): Json {
  if (path.length === 0) return value;
  let container: Json = whole;
  for (const step of path.slice(0, -1)) container = child(container, step);
  const last = path.at(-1) as string | number;
  child(container, last);
  if (Array.isArray(container)) container[last as number] = value;
  else setOwn(container as JsonObject, String(last), value);
  return whole;
}

function child(container: Json, step: string | number): Json {
  if (typeof container === "object" && container !== null && Object.hasOwn(container, step)) {
    return (container as JsonObject)[step] as Json;
  }
  throw new CheckpointError("corrupt", "An object has a link to a place that its body does not have.", {
    hint: "checkpoint verify",
  });
}
