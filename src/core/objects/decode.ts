import { copyOf, sharedOf } from "./entry.ts";
import type { Json } from "./json.ts";
import { idsOf, type Link, type ParsedObject, type Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readTrees, type ReadObjects } from "./read-tree.ts";
import { entryOf, inlineEntry } from "./remember.ts";

/** Reads a state back, or what stands in a linked place: a fresh value that the caller may change. */
export async function decode(target: Target, read: ReadObjects): Promise<Json> {
  return sharedOf(entryOf(target, await readTrees(idsOf(target), read)));
}

/** Reads many states together. They may share parts, also with what was read before, so they must not be changed. */
export class StateReader {
  readonly #read: ReadObjects;
  #last: ReadonlyMap<ObjectId, ParsedObject> = new Map();

  constructor(read: ReadObjects) {
    this.#read = read;
  }

  /** Objects are kept until the next call: whoever reads a history again, or its next page, needs most of them again. */
  async readAll(roots: readonly ObjectId[]): Promise<Json[]> {
    const objects = await readTrees(roots, this.#read, this.#last);
    this.#last = objects;
    return roots.map((root) => sharedOf(entryOf(root, objects)));
  }
}

/** Reads many states once. They may share parts, so they must not be changed. */
export function decodeAll(roots: readonly ObjectId[], read: ReadObjects): Promise<Json[]> {
  return new StateReader(read).readAll(roots);
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
