import type { WorkState } from "../checkpoints/work-state.ts";
import { type Json, type JsonObject, setOwn } from "../objects/json.ts";
import { isRecord } from "../text/untrusted.ts";

/** What a collector wants changed: any fields of the work state, known or not. */
export type StatePatch = Partial<WorkState>;

type MergeRule = (old: Json | undefined, added: Json) => Json;

const MAX_OUTPUTS = 10;

/** How a field of the state takes in what was collected. Every other field is replaced. */
const INTO_STATE: Readonly<Record<string, MergeRule>> = {
  variables: (old, added) => (isRecord(old) && isRecord(added) ? { ...old, ...added } : added),
  tasks: (old, added) => mergeBy("id", old, added),
  recent_outputs: (old, added) => mergeBy("id", old, added).slice(-MAX_OUTPUTS),
};

/** Collectors of one checkpoint never replace what another one found. */
const BETWEEN_PATCHES: Readonly<Record<string, MergeRule>> = {
  ...INTO_STATE,
  dependencies: (old, added) => mergeBy("name", old, added),
  files_touched: (old, added) => [...new Set([...listOf(old), ...listOf(added)])],
};

/**
 * The state with all patches applied in order: later ones win. Pure: neither state nor patches are changed.
 * A patch cannot remove a field, and a key such as `__proto__` is a key like any other.
 *
 * Variables are merged by key, tasks and recent outputs by id (the last ten outputs stay); every other field is
 * replaced as a whole.
 */
export function applyPatches(state: WorkState, patches: readonly StatePatch[]): WorkState {
  const combined = patches.reduce<JsonObject>(
    (sum, patch) => merge(sum, patch as JsonObject, BETWEEN_PATCHES),
    {},
  );
  return merge(state as JsonObject, combined, INTO_STATE) as unknown as WorkState;
}

function merge(old: JsonObject, added: JsonObject, rules: Readonly<Record<string, MergeRule>>): JsonObject {
  const result = { ...old };
  for (const [key, value] of Object.entries(added)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    const before = Object.hasOwn(old, key) ? old[key] : undefined;
    setOwn(result, key, rule ? rule(before, value) : value);
  }
  return result;
}

/** Items whose key is already there replace the old one in place; the others follow. */
function mergeBy(key: string, old: Json | undefined, added: Json): Json[] {
  const items = new Map<Json, Json>();
  for (const item of [...listOf(old), ...listOf(added)]) {
    const name = isRecord(item) && Object.hasOwn(item, key) ? item[key] : undefined;
    // Without a name, an item equals only itself.
    items.set(name ?? item, item);
  }
  return [...items.values()];
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
