import type { Json } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { fieldOf } from "../state/fields.ts";
import type { WorkState } from "../state/work-state.ts";
import type { Imported } from "./read-import.ts";

/** The trigger of a checkpoint that an import makes. */
export function importTrigger(trust: boolean | undefined): string {
  return trust === true ? "import:trusted" : "import";
}

/** The state after an import. Importing the same file twice changes nothing the second time. */
export function mergeImport(state: WorkState, { state: whole, parts = {} }: Imported): WorkState {
  if (whole) return whole as WorkState;
  const merged: WorkState = { ...state };
  for (const [field, value] of Object.entries(parts)) {
    merged[field] = mergeField(field, state[field] as Json | undefined, value as Json);
  }
  return merged;
}

function mergeField(field: string, old: Json | undefined, value: Json): Json {
  if (Array.isArray(old) && Array.isArray(value)) {
    return [...old.filter((item) => !value.some((added) => isSameItem(item, added))), ...value];
  }
  // Two files together say more than either.
  const isMerged = fieldOf(field)?.join === "by key" && isRecord(old) && isRecord(value);
  return isMerged ? { ...old, ...value } : value;
}

/** Items with an id are the same if the id is; others if all but the time is. */
function isSameItem(left: Json, right: Json): boolean {
  if (!isRecord(left) || !isRecord(right)) return left === right;
  if ("id" in left || "id" in right) return left.id === right.id;
  return JSON.stringify({ ...left, at: 0 }) === JSON.stringify({ ...right, at: 0 });
}
