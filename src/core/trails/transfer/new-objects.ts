import { idsOf, linkedIds, parseHeader, type NewObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../objects/read-tree.ts";

/**
 * The objects of a state that are neither `written` yet nor part of the state before, each checked against its name,
 * children before parents.
 * The predecessor of each is what stood in the same place in the state before.
 */
export async function newObjects(
  root: ObjectId,
  rootBefore: ObjectId | undefined,
  written: ReadonlySet<ObjectId>,
  read: ReadObjects,
): Promise<NewObject[]> {
  const found = new Map<ObjectId, NewObject>();
  let wanted = new Map<ObjectId, ObjectId | undefined>(written.has(root) ? [] : [[root, rootBefore]]);
  while (wanted.size > 0) {
    const bytesOf = await readChecked([...wanted.keys()], read);
    const former = await read([...new Set([...wanted.values()].filter((id) => id !== undefined))]);
    const next = new Map<ObjectId, ObjectId | undefined>();
    for (const [id, predecessor] of wanted) {
      const bytes = bytesOf.get(id) as Uint8Array;
      const header = parseHeader(bytes);
      const before = predecessor === undefined ? undefined : former.get(predecessor);
      found.set(id, { id, bytes, links: linkedIds(header), predecessor });
      const places = before ? placesOf(parseHeader(before)) : new Map();
      for (const [child, like] of pair(placesOf(header), places, written)) next.set(child, like);
    }
    wanted = new Map([...next].filter(([id]) => !found.has(id)));
  }
  return childrenFirst(root, found);
}

/** The children of an object by the place they stand in; a list in one place keeps its order. */
type ChildrenByPlace = ReadonlyMap<string, readonly ObjectId[]>;

function placesOf(object: ReturnType<typeof parseHeader>): ChildrenByPlace {
  if (object.kind === "B") return new Map();
  if ("children" in object) return new Map([["", object.children.map(([, id]) => id)]]);
  return new Map(object.links.map(({ path, target }) => [JSON.stringify(path), idsOf(target)]));
}

/**
 * Pairs each new child with one that is gone from the same place. When there are more new ones, the last are
 * paired: a list that grew has closed the one before, and what is closed is better stored whole.
 */
function pair(
  places: ChildrenByPlace,
  before: ChildrenByPlace,
  written: ReadonlySet<ObjectId>,
): [child: ObjectId, like: ObjectId | undefined][] {
  return [...places].flatMap(([place, children]) => {
    const [now, then] = [new Set(children), new Set(before.get(place))];
    const fresh = children.filter((id) => !written.has(id) && !then.has(id));
    const gone = [...then].filter((id) => !now.has(id));
    const skipped = Math.max(0, fresh.length - gone.length);
    return fresh.map((id, index): [ObjectId, ObjectId | undefined] => [id, gone[index - skipped]]);
  });
}

/** By recursion: the depth of a state is limited. */
function childrenFirst(root: ObjectId, found: ReadonlyMap<ObjectId, NewObject>): NewObject[] {
  const ordered = new Map<ObjectId, NewObject>();
  const visit = (id: ObjectId) => {
    const object = found.get(id);
    if (object === undefined || ordered.has(id)) return;
    for (const child of object.links) visit(child);
    ordered.set(id, object);
  };
  visit(root);
  return [...ordered.values()];
}
