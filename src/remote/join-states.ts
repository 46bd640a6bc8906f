import { isRecord } from "../text/untrusted.ts";
import type { Json, JsonObject, Path } from "../objects/json.ts";
import { formatPath, setOwn } from "../objects/json.ts";

/** Two states joined, or the places where both sides changed the same thing in different ways. */
export type Joined =
  | { readonly state: JsonObject; readonly clashes?: undefined }
  | { readonly state?: undefined; readonly clashes: readonly string[] };

/**
 * What this machine sees around it, not what anybody decided: where both sides differ, this machine's own view stays.
 */
const OBSERVED = new Set(["workspace", "dependencies", "session", "checks_failing", "files_touched"]);

/**
 * Joins two states that went apart, by what each changed since their common ancestor. Nothing is guessed: where both
 * changed the same value, or one changed what the other removed, it is a clash.
 */
export function joinStates(before: JsonObject, ours: JsonObject, theirs: JsonObject): Joined {
  const clashes: string[] = [];
  const state = joinObjects(before, ours, theirs, { path: [], clashes });
  return clashes.length === 0 ? { state } : { clashes };
}

interface Place {
  readonly path: Path;
  readonly clashes: string[];
}

type Side = Json | undefined;

function join(before: Side, ours: Side, theirs: Side, place: Place): Side {
  if (isSame(ours, theirs) || isSame(before, theirs)) return ours;
  if (isSame(before, ours)) return theirs;
  if (place.path.length === 1 && OBSERVED.has(String(place.path[0]))) return ours;
  if (isRecord(ours) && isRecord(theirs)) {
    return joinObjects(isRecord(before) ? before : {}, ours, theirs, place);
  }
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return joinLists(Array.isArray(before) ? before : [], ours, theirs, place);
  }
  place.clashes.push(formatPath(place.path));
  return ours;
}

function joinObjects(before: JsonObject, ours: JsonObject, theirs: JsonObject, place: Place): JsonObject {
  const joined: JsonObject = {};
  for (const key of new Set([...Object.keys(ours), ...Object.keys(theirs)])) {
    const value = join(own(before, key), own(ours, key), own(theirs, key), at(place, key));
    if (value !== undefined) setOwn(joined, key, value);
  }
  return joined;
}

/** Items are told apart by their `id`, or else by all that they say. Ours keep their order; theirs that are new follow. */
function joinLists(
  before: readonly Json[],
  ours: readonly Json[],
  theirs: readonly Json[],
  place: Place,
): Json[] {
  const [was, mine, others] = [byIdentity(before), byIdentity(ours), byIdentity(theirs)];
  const joined: Json[] = [];
  for (const key of new Set([...mine.keys(), ...others.keys()])) {
    const value = join(was.get(key), mine.get(key), others.get(key), at(place, key));
    if (value !== undefined) joined.push(value);
  }
  return joined;
}

/** The same text twice is two items. */
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

const at = ({ path, clashes }: Place, step: string): Place => ({ path: [...path, step], clashes });

const own = (value: JsonObject, key: string): Side => (Object.hasOwn(value, key) ? value[key] : undefined);

function isSame(one: Side, other: Side): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
