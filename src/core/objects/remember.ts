import type { Memory } from "./encode.ts";
import {
  charsOfRun,
  inlineTree,
  isLong,
  type Entry,
  type Group,
  type TreeLevel,
  type Tree,
} from "./entry.ts";
import type { Json, JsonObject } from "./json.ts";
import {
  malformed,
  parseBody,
  type Child,
  type IndexKind,
  type Link,
  type ParsedObject,
  type Target,
} from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import {
  checkIndex,
  checkKeys,
  checkPart,
  checkPlace,
  mapEntries,
  readTrees,
  type ReadObjects,
} from "./read-tree.ts";

type Objects = ReadonlyMap<ObjectId, ParsedObject>;
type ValueObject = Extract<ParsedObject, { body: string }>;
type IndexObject = Extract<ParsedObject, { children: readonly Child[] }>;

/** Reads a stored state as a memory, so that committing the next state costs only what changed. */
export async function remember(root: ObjectId, read: ReadObjects): Promise<Memory> {
  const objects = await readTrees([root], read);
  const entry = entryOf(root, objects);
  const object = objects.get(root) as ParsedObject;
  // A long state is its root object; a short one stands inline in it.
  const isApart = entry.kind !== "tree" || "children" in object || isLong(entry.keys, entry.entries);
  if (isApart) return { root, entry };
  if (object.links.length > 0) return { root, entry: inlineTree(entry.keys, entry.entries) };
  return { root, entry: inlineEntry(parseBody(object), [], objects) };
}

/** What stands in a linked place. */
export function entryOf(target: Target, objects: Objects): Entry {
  if (typeof target !== "string") return entryOfIndex(target.kind, target.children, target, objects);
  const object = objects.get(target) as ParsedObject;
  if ("children" in object) return entryOfIndex(object.kind, object.children, target, objects);
  const json = parseBody(object);
  if (typeof json === "string" && object.links.length === 0)
    return { kind: "string", value: json, target, chars: object.body.length };
  if (typeof json !== "object" || json === null) return inlineEntry(json, object.links, objects);
  const kind = Array.isArray(json) ? "A" : "M";
  const count = Object.keys(json).length;
  return treeOf(kind, [[count, target]], target, objects);
}

function entryOfIndex(kind: IndexKind, children: readonly Child[], target: Target, objects: Objects): Entry {
  if (kind !== "S") return treeOf(kind, children, target, objects);
  const { value, chars } = textOf(children, objects);
  return { kind: "string", value, target, chars: chars + 2 };
}

/** A long string, and the length of its JSON without the quotes. */
function textOf(children: readonly Child[], objects: Objects): { value: string; chars: number } {
  const pieces = children.map((child) => pieceOf(child, objects));
  return {
    value: pieces.map(({ value }) => value).join(""),
    chars: pieces.reduce((sum, { chars }) => sum + chars, 0),
  };
}

function pieceOf([count, id]: Child, objects: Objects): { value: string; chars: number } {
  const piece = objects.get(id) as ParsedObject;
  if ("children" in piece) {
    checkIndex("S", count, piece);
    return textOf(piece.children, objects);
  }
  const value = parseBody(piece);
  if (piece.links.length > 0) throw malformed("has links inside a text");
  checkPart("S", count, value);
  return { value: value as string, chars: piece.body.length - 2 };
}

function treeOf(kind: "A" | "M", children: readonly Child[], target: Target, objects: Objects): Tree {
  const keys: string[] = [];
  const levels = levelsBelow(kind, children, objects, keys);
  checkKeys(keys);
  return {
    kind: "tree",
    keys: kind === "M" ? keys : undefined,
    entries: (levels[0] as TreeLevel).items as Entry[],
    target,
    levels,
    part: undefined,
    source: undefined,
  };
}

/** The levels under these children, runs of entries first. Collects the keys on the way, if these are objects. */
function levelsBelow(
  kind: "A" | "M",
  children: readonly Child[],
  objects: Objects,
  keys: string[],
): TreeLevel[] {
  const [runs, ...indexes] = byHeight(children, objects) as [Child[], ...Child[][]];
  const lists = runs.map(([count, id]) => runOf(kind, count, objects.get(id) as ValueObject, objects, keys));
  const entries: unknown[] = [];
  for (const list of lists) for (const item of list.items) entries.push(item);
  const levels: TreeLevel[] = [{ items: entries, groups: groupsOf(runs, lists) }];
  let items = runs;
  for (const level of indexes) {
    const { groups } = levels.at(-1) as TreeLevel;
    levels.push({ items, groups: groupsOf(level, indexLists(kind, level, groups, objects)) });
    items = level;
  }
  return levels;
}

/** All children by how many indexes are below them, whether they stand on the spot or in an index; each list in order. */
function byHeight(children: readonly Child[], objects: Objects): Child[][] {
  const heights = children.map(([, id]) => heightOf(id, objects));
  if (heights.some((height, at) => at > 0 && height > (heights[at - 1] as number)))
    throw malformed("has runs and indexes side by side");
  const lists: Child[][] = [];
  for (let height = heights[0] ?? 0, above: Child[] = []; height >= 0; height--) {
    const inside = above.flatMap(([, id]) => (objects.get(id) as IndexObject).children);
    if (inside.some(([, id]) => heightOf(id, objects) !== height))
      throw malformed("has runs and indexes side by side");
    above = [...inside, ...children.filter((_, at) => heights[at] === height)];
    lists.unshift(above);
  }
  return lists.length === 0 ? [[]] : lists;
}

/** How many indexes there are on the way down to a run. */
function heightOf(id: ObjectId, objects: Objects): number {
  let height = 0;
  for (let object = objects.get(id); object && "children" in object; height++) {
    const [first] = object.children;
    object = first && objects.get(first[1]);
  }
  return height;
}

function indexLists(
  kind: IndexKind,
  level: readonly Child[],
  below: readonly Group[],
  objects: Objects,
): List[] {
  let start = 0;
  return level.map(([count, id]) => {
    const object = objects.get(id) as IndexObject;
    checkIndex(kind, count, object);
    const groups = below.slice(start, (start += object.children.length));
    return { items: object.children, chars: groups.reduce((sum, group) => sum + group.chars, 0) };
  });
}

interface List {
  readonly items: readonly unknown[];
  readonly chars: number;
}

function groupsOf(children: readonly Child[], lists: readonly List[]): Group[] {
  let end = 0;
  return children.map((child, index) => {
    const { items, chars } = lists[index] as List;
    const start = end;
    end += items.length;
    // Whether the last one ended at a boundary is not known; open only costs cutting it once more.
    return { start, end, child, chars, closed: index < children.length - 1 };
  });
}

/** Many states that are read together have most of their runs in common. */
const runsOfArrays = new WeakMap<ValueObject, List>();

function runOf(kind: "A" | "M", count: number, run: ValueObject, objects: Objects, keys: string[]): List {
  const known = kind === "A" ? runsOfArrays.get(run) : undefined;
  if (known?.items.length === count) return known;
  const container = parseBody(run);
  checkPart(kind, count, container);
  const items = mapEntries(container, run.links, (json, links, key) => {
    if (kind === "M") keys.push(key as string);
    return inlineEntry(json, links, objects);
  });
  const list = { items, chars: charsOfRun(run.body, run.links.length > 0 ? items : []) };
  if (kind === "A") runsOfArrays.set(run, list);
  return list;
}

/** A value that stands inline; the containers on the way to its links become trees. */
export function inlineEntry(json: Json, links: readonly Link[], objects: Objects): Entry {
  const [first] = links;
  if (first === undefined) return { kind: "leaf", value: json, text: undefined, source: undefined };
  if (first.path.length === 0) {
    checkPlace(json);
    return entryOf(first.target, objects);
  }
  const entries = mapEntries(json, links, (child, inside) => inlineEntry(child, inside, objects));
  return inlineTree(Array.isArray(json) ? undefined : Object.keys(json as JsonObject), entries);
}
