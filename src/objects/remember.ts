import type { Memory } from "./encode.ts";
import { isLong, type Entry, type Group, type Level, type Tree } from "./entry.ts";
import type { Json, JsonObject } from "./json.ts";
import type { Child, Link, ParsedObject, Target } from "./object-format.ts";
import type { ObjectId } from "./object-id.ts";
import { readTree, type ReadObjects } from "./read-tree.ts";

type Objects = ReadonlyMap<ObjectId, ParsedObject>;

/** Reads a stored state as a memory, so that committing the next state costs only what changed. */
export async function remember(root: ObjectId, read: ReadObjects): Promise<Memory> {
  const objects = await readTree(root, read);
  const object = objects.get(root) as ParsedObject;
  if ("children" in object) return { root, entry: { ...entryOf(object, objects), target: root } as Entry };
  // A long state is its root object; a short one stands inline in it.
  const tree = treeOfRuns([[0, root]], objects);
  if (isLong(tree.keys, tree.entries)) return { root, entry: { ...tree, target: root } };
  return { root, entry: inlineEntry(parseBody(object), object.links, objects) };
}

/** What stands in a linked place. */
function entryOf(target: Target, objects: Objects): Entry {
  if (typeof target === "string") {
    const object = objects.get(target) as ParsedObject;
    if ("children" in object) return { ...entryOf(object, objects), target } as Entry;
    if (object.body.startsWith('"')) return { kind: "string", value: parseBody(object) as string, target };
    return { ...treeOfRuns([[0, target]], objects), target };
  }
  if (target.kind === "S") return { kind: "string", value: textOfPieces(target.children, objects), target };
  return { ...treeOfRuns(target.children, objects), target };
}

function textOfPieces(children: readonly Child[], objects: Objects): string {
  return children
    .map(([, id]) => objects.get(id) as ParsedObject)
    .map((piece) =>
      "children" in piece ? textOfPieces(piece.children, objects) : (parseBody(piece) as string),
    )
    .join("");
}

function treeOfRuns(children: readonly Child[], objects: Objects): Tree {
  const keys: string[] = [];
  const levels = levelsBelow(children, objects, keys);
  const entries = (levels[0] as Level).items as Entry[];
  const isObject = keys.length > 0;
  return {
    kind: "tree",
    keys: isObject ? keys : undefined,
    entries,
    target: undefined,
    levels,
    part: undefined,
    source: undefined,
  };
}

/** The levels under these children, runs of entries first. Collects the keys on the way, if these are objects. */
function levelsBelow(children: readonly Child[], objects: Objects, keys: string[]): Level[] {
  const parts = children.map(([, id]) => objects.get(id) as ParsedObject);
  if (parts.some((part) => "children" in part)) {
    const lists = parts.map((part) => ("children" in part ? part.children : []));
    const items = lists.flat();
    return [...levelsBelow(items, objects, keys), { items, groups: groupsOf(children, lists) }];
  }
  const runs = parts.map((part) => entriesOfRun(part, objects, keys));
  return [{ items: runs.flat(), groups: groupsOf(children, runs) }];
}

function groupsOf(children: readonly Child[], lists: readonly (readonly unknown[])[]): Group[] {
  let end = 0;
  return children.map((child, index) => {
    const start = end;
    end += (lists[index] as readonly unknown[]).length;
    // Whether the last one ended at a boundary is not known; open only costs cutting it once more.
    return { start, end, child, closed: index < children.length - 1 };
  });
}

function entriesOfRun(run: ParsedObject, objects: Objects, keys: string[]): readonly Entry[] {
  if ("children" in run) return [];
  const container = parseBody(run) as Json[] | JsonObject;
  if (!Array.isArray(container)) keys.push(...Object.keys(container));
  return entriesOf(container, run.links, objects);
}

const parseBody = (object: { readonly body: string }) => JSON.parse(object.body) as Json;

/** A value that stands inline; the containers on the way to its links become trees. */
function inlineEntry(value: Json, links: readonly Link[], objects: Objects): Entry {
  const [first] = links;
  if (first === undefined) return { kind: "leaf", value, text: undefined, source: undefined };
  if (first.path.length === 0) return entryOf(first.target, objects);
  const container = value as Json[] | JsonObject;
  return {
    kind: "tree",
    keys: Array.isArray(container) ? undefined : Object.keys(container),
    entries: entriesOf(container, links, objects),
    target: undefined,
    levels: [],
    part: undefined,
    source: undefined,
  };
}

function entriesOf(container: Json[] | JsonObject, links: readonly Link[], objects: Objects): Entry[] {
  const inside = Map.groupBy(links, (link) => String(link.path[0]));
  return Object.keys(container).map((key) => {
    const own = (inside.get(key) ?? []).map(({ path, target }) => ({ path: path.slice(1), target }));
    return inlineEntry((container as JsonObject)[key] as Json, own, objects);
  });
}
