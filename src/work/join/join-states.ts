import { isRecord } from "../../core/text/untrusted.ts";
import type { Json, JsonObject, Path } from "../../core/objects/json.ts";
import { formatPath } from "../../core/objects/json.ts";
import { fieldOf } from "../state/fields.ts";

/** Two states joined, or the places where both sides changed the same thing in different ways. */
export type Joined =
  | { readonly state: JsonObject; readonly clashes?: undefined }
  | { readonly state?: undefined; readonly clashes: readonly string[] };

/**
 * Joins two states that went apart, by what each changed since their common ancestor. Nothing is guessed: where both
 * changed the same value, or one changed what the other removed, it is a clash.
 */
export function joinStates(before: JsonObject, ours: JsonObject, theirs: JsonObject): Joined {
  const clashes: string[] = [];
  const state = join(before, ours, theirs, { path: [], clashes }) as JsonObject;
  return clashes.length === 0 ? { state } : { clashes };
}

interface JoinPlace {
  readonly path: Path;
  readonly clashes: string[];
}

type Side = Json | undefined;

function join(before: Side, ours: Side, theirs: Side, place: JoinPlace): Side {
  if (isSame(ours, theirs) || isSame(before, theirs)) return ours;
  if (isSame(before, ours)) return theirs;
  if (place.path.length === 1 && fieldOf(String(place.path[0]))?.join === "observed") return ours;
  if (isTimeOfTask(place.path) && ours && theirs) return ours > theirs ? ours : theirs;
  if (isRecord(ours) && isRecord(theirs)) {
    const sides = [isRecord(before) ? before : {}, ours, theirs].map((side) => new Map(Object.entries(side)));
    return Object.fromEntries(joinEntries(sides, place));
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    const sides = [Array.isArray(before) ? before : [], ours, theirs].map(byIdentity);
    return joinEntries(sides, place).map(([, value]) => value);
  }
  place.clashes.push(formatPath(place.path));
  return ours;
}

/** Two machines that write the same, as the hint for a clash asks, do so at different times. */
const isTimeOfTask = ([list, , field, ...more]: Path) =>
  list === "tasks" && field === "at" && more.length === 0;

/** Ours keep their order; theirs that are new follow. */
function joinEntries(sides: readonly ReadonlyMap<string, Json>[], place: JoinPlace): [string, Json][] {
  const [, ours, theirs] = sides;
  return [...new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])].flatMap((key) => {
    const [was, mine, other] = sides.map((side) => side.get(key));
    const value = join(was, mine, other, { ...place, path: [...place.path, key] });
    return value === undefined ? [] : [[key, value] satisfies [string, Json]];
  });
}

/** Items are told apart by their `id`, or else by all that they say. The same text twice is two items. */
function byIdentity(list: readonly Json[]): Map<string, Json> {
  const items = new Map<string, Json>();
  for (const item of list) {
    const name = isRecord(item) && typeof item["id"] === "string" ? item["id"] : JSON.stringify(item);
    let key = name;
    for (let again = 2; items.has(key); again++) key = `${name} (${again})`;
    items.set(key, item);
  }
  return items;
}

function isSame(one: Side, other: Side): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
