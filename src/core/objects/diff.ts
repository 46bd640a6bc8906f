import { decodeLinked, type LazyValue } from "./decode.ts";
import { commonInOrder, longestIncreasing } from "./increasing.ts";
import type { Json, Path } from "./json.ts";
import { keyOfLazy, lazy, openBoth, type LazyPart } from "./lazy-value.ts";
import type { ObjectId } from "./object-id.ts";
import type { ReadObjects } from "./read-tree.ts";

/**
 * One difference between two states. Paths lead through the newer state; only the last step of something that
 * was removed is its old place. The order of an object's keys is not a difference.
 */
export type Change =
  | { readonly kind: "added"; readonly path: Path; readonly to: Json }
  | { readonly kind: "removed"; readonly path: Path; readonly from: Json }
  | { readonly kind: "changed"; readonly path: Path; readonly from: Json; readonly to: Json }
  | {
      readonly kind: "moved";
      readonly path: Path;
      readonly id: string;
      readonly from: number;
      readonly to: number;
    };

export interface StateDiff {
  readonly changes: readonly Change[];
  /** How many different objects were read: equal parts are skipped unread. */
  readonly objectsRead: number;
}

/** What changed from one state to another. Costs what differs, not what there is. */
export async function diffStates(from: ObjectId, to: ObjectId, read: ReadObjects): Promise<StateDiff> {
  const seen = new Set<ObjectId>();
  const counted: ReadObjects = (ids) => {
    for (const id of ids) seen.add(id);
    return read(ids);
  };
  const comparison = new Comparison(counted);
  if (from !== to) await comparison.values(lazy(from), lazy(to), []);
  return { changes: comparison.changes, objectsRead: seen.size };
}

class Comparison {
  readonly changes: Change[] = [];
  readonly #read: ReadObjects;

  constructor(read: ReadObjects) {
    this.#read = read;
  }

  async values(from: LazyValue, to: LazyValue, path: Path): Promise<void> {
    const opened = await openBoth(from, to, this.#read);
    if (opened === undefined) {
      const [before, after] = [await decodeLinked(from, this.#read), await decodeLinked(to, this.#read)];
      // A value may be the same although it is stored differently.
      if (JSON.stringify(before) !== JSON.stringify(after))
        this.changes.push({ kind: "changed", path, from: before, to: after });
    } else if (!opened.from.isArray) await this.#objects(opened.from.parts, opened.to.parts, path);
    else if (haveIds(opened.from.parts) && haveIds(opened.to.parts))
      await this.#byId(opened.from.parts, opened.to.parts, path);
    else await this.#byStretch(opened.from.parts, opened.to.parts, path);
  }

  async #objects(from: readonly LazyPart[], to: readonly LazyPart[], path: Path): Promise<void> {
    const before = new Map(from.map((part) => [part.key, part]));
    const after = new Set(to.map((part) => part.key));
    for (const part of from) if (!after.has(part.key)) await this.#removed(part, path);
    for (const part of to) {
      const old = before.get(part.key);
      if (old === undefined) await this.#added(part, path);
      else if (!isSame(old.value, part.value)) await this.values(old.value, part.value, [...path, part.key]);
    }
  }

  /** Elements are the same if they have the same id, wherever they are. */
  async #byId(from: readonly LazyPart[], to: readonly LazyPart[], path: Path): Promise<void> {
    const before = new Map(from.map((part, at) => [idOf(part), { part, at }]));
    const after = new Set(to.map(idOf));
    for (const part of from) if (!after.has(idOf(part))) await this.#removed(part, path);
    const stayed = to.filter((part) => before.has(idOf(part)));
    const moved = movedParts(stayed, (part) => before.get(idOf(part)) as { part: LazyPart; at: number });
    for (const part of to) {
      const old = before.get(idOf(part))?.part;
      if (old === undefined) {
        await this.#added(part, path);
        continue;
      }
      const here = [...path, part.key];
      if (moved.has(part)) {
        const id = `${idOf(part) as string | number}`;
        this.changes.push({ kind: "moved", path: here, id, from: Number(old.key), to: Number(part.key) });
      }
      if (!isSame(old.value, part.value)) await this.values(old.value, part.value, here);
    }
  }

  /** Elements without ids are paired only between the runs that both sides share. */
  async #byStretch(from: readonly LazyPart[], to: readonly LazyPart[], path: Path): Promise<void> {
    const before = Map.groupBy(from, (part) => part.stretch);
    const after = Map.groupBy(to, (part) => part.stretch);
    for (const stretch of new Set([...before.keys(), ...after.keys()])) {
      await this.#byPlace(before.get(stretch) ?? [], after.get(stretch) ?? [], path);
    }
  }

  /** Equal elements are paired in order; what lies between them was changed, added or removed. */
  async #byPlace(from: readonly LazyPart[], to: readonly LazyPart[], path: Path): Promise<void> {
    const pairs = commonInOrder(
      from.map((part) => keyOfLazy(part.value)),
      to.map((part) => keyOfLazy(part.value)),
    );
    let [left, right] = [0, 0];
    for (const pair of [...pairs, { from: from.length, to: to.length }]) {
      const [gone, come] = [from.slice(left, pair.from), to.slice(right, pair.to)];
      const both = Math.min(gone.length, come.length);
      for (let at = 0; at < both; at++) {
        const part = come[at] as LazyPart;
        await this.values((gone[at] as LazyPart).value, part.value, [...path, part.key]);
      }
      for (const part of gone.slice(both)) await this.#removed(part, path);
      for (const part of come.slice(both)) await this.#added(part, path);
      [left, right] = [pair.from + 1, pair.to + 1];
    }
  }

  async #added({ key, value }: LazyPart, path: Path): Promise<void> {
    this.changes.push({ kind: "added", path: [...path, key], to: await decodeLinked(value, this.#read) });
  }

  async #removed({ key, value }: LazyPart, path: Path): Promise<void> {
    this.changes.push({
      kind: "removed",
      path: [...path, key],
      from: await decodeLinked(value, this.#read),
    });
  }
}

/** Most parts are the same, so that is found out before anything is waited for. */
function isSame(from: LazyValue, to: LazyValue): boolean {
  if (from.links.length === 0 && to.links.length === 0 && from.json === to.json) return true;
  return keyOfLazy(from) === keyOfLazy(to);
}

/** Those that changed places, as few as possible: the others are still in order. */
function movedParts(
  stayed: readonly LazyPart[],
  before: (part: LazyPart) => { part: LazyPart; at: number },
): Set<LazyPart> {
  const moved = new Set(stayed.filter((part) => before(part).part.stretch !== part.stretch));
  const others = stayed.filter((part) => !moved.has(part));
  const inOrder = longestIncreasing(others.map((part) => before(part).at));
  for (const [at, part] of others.entries()) if (!inOrder.has(at)) moved.add(part);
  return moved;
}

function idOf({ value }: LazyPart): Json | undefined {
  const { json } = value;
  if (typeof json !== "object" || json === null || Array.isArray(json) || !Object.hasOwn(json, "id"))
    return undefined;
  return json.id;
}

/** Whether every element has an id of its own. */
function haveIds(parts: readonly LazyPart[]): boolean {
  const ids = new Set<Json>();
  for (const part of parts) {
    const id = idOf(part);
    if (typeof id !== "string" && typeof id !== "number") return false;
    ids.add(id);
  }
  return ids.size === parts.length;
}
