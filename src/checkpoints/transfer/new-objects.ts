import { idsOf, parseObject, type ParsedObject } from "../../objects/object-format.ts";
import type { ObjectId } from "../../objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../objects/read-tree.ts";

export interface ExportedObject {
  readonly id: ObjectId;
  readonly bytes: Uint8Array;
  readonly like: ObjectId | undefined;
}

/**
 * The objects of a state that are not `written` yet, each checked against its name, children before parents.
 * `like` is the object that stood in the same place in the state before: a store may keep the difference.
 */
export async function newObjects(
  root: ObjectId,
  rootBefore: ObjectId | undefined,
  written: ReadonlySet<ObjectId>,
  read: ReadObjects,
): Promise<ExportedObject[]> {
  const found = new Map<ObjectId, ExportedObject & { readonly children: readonly ObjectId[] }>();
  let wanted = new Map<ObjectId, ObjectId | undefined>(written.has(root) ? [] : [[root, rootBefore]]);
  while (wanted.size > 0) {
    const bytesOf = await readChecked([...wanted.keys()], read);
    const former = await read([...new Set([...wanted.values()].filter((id) => id !== undefined))]);
    const next = new Map<ObjectId, ObjectId | undefined>();
    for (const [id, like] of wanted) {
      const bytes = bytesOf.get(id) as Uint8Array;
      const places = placesOf(parseObject(bytes));
      const before = like === undefined ? undefined : former.get(like);
      found.set(id, { id, bytes, like, children: [...places.values()].flat() });
      const pairs = pair(places, before ? placesOf(parseObject(before)) : new Map(), (child) =>
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
    const fresh = children.filter((id) => !isWritten(id));
    const gone = (before.get(place) ?? []).filter((id) => !children.includes(id));
    const skipped = Math.max(0, fresh.length - gone.length);
    return fresh.map((id, index): [ObjectId, ObjectId | undefined] => [id, gone[index - skipped]]);
  });
}

/** A loop with its own stack, because a deep state must not overflow ours. */
function childrenFirst(
  root: ObjectId,
  found: ReadonlyMap<ObjectId, ExportedObject & { readonly children: readonly ObjectId[] }>,
): ExportedObject[] {
  const ordered = new Map<ObjectId, ExportedObject>();
  const stack: { id: ObjectId; isLeaving: boolean }[] = [{ id: root, isLeaving: false }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { id, isLeaving } = item;
    const object = found.get(id);
    if (object === undefined || ordered.has(id)) continue;
    if (isLeaving) {
      ordered.set(id, { id, bytes: object.bytes, like: object.like });
    } else {
      stack.push({ id, isLeaving: true });
      for (const child of object.children) stack.push({ id: child, isLeaving: false });
    }
  }
  return [...ordered.values()];
}
