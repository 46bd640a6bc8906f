import type { WorkState } from "../checkpoints/work-state.ts";
import { type Json, type JsonObject, setOwn } from "../objects/json.ts";
import { isRecord } from "../text/untrusted.ts";

/** What a collector wants changed: any fields of the work state, known or not. */
export type StatePatch = Partial<WorkState>;

type Merge = (old: Json | undefined, added: Json) => Json;

const MAX_OUTPUTS = 10;

/** How a field of the state takes in what was collected. Every other field is replaced. */
const INTO_STATE: Readonly<Record<string, Merge>> = {
  variables: mergeKeys,
  tasks: (old, added) => mergeBy("id", old, added),
  recent_outputs: (old, added) => asList(mergeBy("id", old, added)).slice(-MAX_OUTPUTS),
};

/** Between collectors of one checkpoint nothing replaces what another one found. */
const BETWEEN_PATCHES: Readonly<Record<string, Merge>> = {
  ...INTO_STATE,
  dependencies: (old, added) => mergeBy("name", old, added),
  files_touched: (old, added) => [...new Set([...asList(old), ...asList(added)])],
};

/**
 * The state with all patches applied, in their order: later ones win. Pure: neither state nor patches
 * are changed. A patch cannot remove a field, and a key such as `__proto__` is a key like any other.
 *
 * Variables are merged key by key, tasks and recent outputs by id (of the outputs the last ten stay);
 * every other field is replaced as a whole.
 */
export function applyPatches(state: WorkState, patches: readonly StatePatch[]): WorkState {
  const combined = patches.reduce<JsonObject>(
    (sum, patch) => merge(sum, patch as JsonObject, BETWEEN_PATCHES),
    {},
  );
  return merge(state as JsonObject, combined, INTO_STATE) as unknown as WorkState;
}

function merge(old: JsonObject, added: JsonObject, rules: Readonly<Record<string, Merge>>): JsonObject {
  const result = copyOf(old);
  for (const key of Object.keys(added)) {
    const value = added[key];
    if (value === undefined) continue;
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    setOwn(result, key, rule ? rule(before, value) : value);
  }
  return result;
}

function mergeKeys(old: Json | undefined, added: Json): Json {
  if (!isRecord(old) || !isRecord(added)) return added;
  return merge(old, added, {});
}

/** Items with a key that is already there replace it in its place; the others follow. */
function mergeBy(key: string, old: Json | undefined, added: Json): Json {
  const items = new Map<Json, Json>();
  for (const item of [...asList(old), ...asList(added)]) {
    const name = isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    // Without a name, an item is only the same as itself.
    items.set(name ?? item, item);
  }
  return [...items.values()];
}

function copyOf(source: JsonObject): JsonObject {
  const target: JsonObject = {};
  for (const key of Object.keys(source)) setOwn(target, key, source[key] as Json);
  return target;
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
