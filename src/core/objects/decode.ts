import { copyOf, sharedOf } from "./entry.ts";
import type { Json } from "./json.ts";
import { idsOf, type Link, type Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readTrees, type ReadObjects } from "./read-tree.ts";
import { entryOf, inlineEntry } from "./remember.ts";

/** Reads a state back, or what stands in a linked place: a fresh value that the caller may change. */
export async function decode(target: Target, read: ReadObjects): Promise<Json> {
  return sharedOf(entryOf(target, await readTrees(idsOf(target), read)));
}

/** The same for many states, which are read together. They may share parts, so they must not be changed. */
export async function decodeAll(roots: readonly ObjectId[], read: ReadObjects): Promise<Json[]> {
  const objects = await readTrees(roots, read);
  return roots.map((root) => sharedOf(entryOf(root, objects)));
}

/** A value that has been read only as far as somebody looked: JSON, with links to what is still unread. */
export interface LazyValue {
  readonly json: Json;
  readonly links: readonly Link[];
}

/** A fresh copy of a value, with everything that is linked into it. */
export async function decodeLinked({ json, links }: LazyValue, read: ReadObjects): Promise<Json> {
  const ids = links.flatMap(({ target }) => idsOf(target));
  return copyOf(inlineEntry(json, links, await readTrees(ids, read)));
}
