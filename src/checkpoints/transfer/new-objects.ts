import { idsOf, parseHeader, type ParsedObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../objects/read-tree.ts";

export interface ExportedObject {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  readonly like: ObjectId | undefined;
}

interface ObjectWithChildren extends ExportedObject {
  readonly children: readonly ObjectId[];
}

/**
 * The objects of a state that are neither `written` yet nor part of the state before, each checked against its name,
 * children before parents.
 * `like` is the object that stood in the same place in the state before: a store may keep the difference.
 */
export async function newObjects(
  root: ObjectId,
  rootBefore: ObjectId | undefined,
  written: ReadonlySet<ObjectId>,
  read: ReadObjects,
): Promise<ExportedObject[]> {
  const found = new Map<ObjectId, ObjectWithChildren>();
  let wanted = new Map<ObjectId, ObjectId | undefined>(written.has(root) ? [] : [[root, rootBefore]]);
  while (wanted.size > 0) {
    const bytesOf = await readChecked([...wanted.keys()], read);
    const former = await read([...new Set([...wanted.values()].filter((id) => id !== undefined))]);
    const next = new Map<ObjectId, ObjectId | undefined>();
    for (const [id, like] of wanted) {
      const bytes = bytesOf.get(id) as Uint8Array;
      const places = placesOf(parseHeader(bytes));
      const before = like === undefined ? undefined : former.get(like);
      found.set(id, { id, bytes, like, children: [...places.values()].flat() });
      const pairs = pair(places, before ? placesOf(parseHeader(before)) : new Map(), (child) =>
        written.has(child),
      );
      for (const [child, childLike] of pairs) next.set(child, childLike);
    }
    wanted = new Map([...next].filter(([id]) => !found.has(id)));
  }
  return childrenFirst(root, found);
}

/** The children of an object by the place they stand in; a list in one place keeps its order. */
type ChildrenByPlace = ReadonlyMap<string, readonly ObjectId[]>;

function placesOf(object: ParsedObject): ChildrenByPlace {
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
  isWritten: (id: ObjectId) => boolean,
): [child: ObjectId, like: ObjectId | undefined][] {
  return [...places].flatMap(([place, children]) => {
    const [now, then] = [new Set(children), new Set(before.get(place))];
    const fresh = children.filter((id) => !isWritten(id) && !then.has(id));
    const gone = [...then].filter((id) => !now.has(id));
    const skipped = Math.max(0, fresh.length - gone.length);
    return fresh.map((id, index): [ObjectId, ObjectId | undefined] => [id, gone[index - skipped]]);
  });
}

/** By recursion: the depth of a state is limited. */
function childrenFirst(root: ObjectId, found: ReadonlyMap<ObjectId, ObjectWithChildren>): ExportedObject[] {
  const ordered = new Map<ObjectId, ExportedObject>();
  const visit = (id: ObjectId) => {
    const object = found.get(id);
    if (object === undefined || ordered.has(id)) return;
    for (const child of object.children) visit(child);
    ordered.set(id, object);
  };
  visit(root);
  return [...ordered.values()];
}
