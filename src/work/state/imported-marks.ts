import { setOwn, type Json, type JsonObject } from "../../core/objects/json.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Store } from "../../core/store/contract.ts";
import { importSource } from "../../core/trails/import-record.ts";
import { fieldOf } from "./fields.ts";

const IMPORTED = /^import(ed)?\b/i;

/**
 * Marks a state that came from a file; the mark outlives every later save. An item with fields carries it in `by`, where
 * what the item says about itself is kept as a claim. Plain text, such as the goal, is repeated in `imported_texts`: that
 * mark goes when the text does. What the file itself says in `imported_texts` is ignored. A state without words is
 * returned as it is.
 */
export function markImported<State extends object>(state: State, by: string): State {
  const texts = new Set<string>();
  const marked: JsonObject = {};
  for (const [field, value] of Object.entries(state) as [string, Json][]) {
    if (field === "imported_texts") continue;
    setOwn(marked, field, fieldOf(field)?.hasWords ? markValue(value, by, texts) : value);
  }
  if (texts.size > 0) marked.imported_texts = [...texts];
  return JSON.stringify(marked) === JSON.stringify(state) ? state : (marked as State);
}

/** The state of a checkpoint, marked as imported if it came in a file, so that nothing in it can pose as said here. */
export async function markIfImported<State extends object>(
  store: Store,
  id: ObjectId,
  state: State,
): Promise<State> {
  const source = await importSource(store, id);
  return source === undefined ? state : markImported(state, `import:${source}`);
}

/** Takes the mark off texts that are in `fresh`: they have now been said here. */
export function unmarkSaid(state: { imported_texts?: unknown }, fresh: object): void {
  const { imported_texts: marks } = state;
  if (!Array.isArray(marks)) return;
  const said = Object.entries(fresh).flatMap(([field, value]) =>
    fieldOf(field)?.hasWords ? [value].flat() : [],
  );
  const rest = marks.filter((text) => !said.includes(text));
  if (rest.length > 0) state.imported_texts = rest;
  else delete state.imported_texts;
}

function markValue(value: Json, by: string, texts: Set<string>): Json {
  if (Array.isArray(value)) return value.map((item) => markValue(item, by, texts));
  if (typeof value === "object" && value !== null) return { ...value, by: claimed(value.by, by) };
  if (typeof value === "string" && value.trim() !== "") texts.add(value);
  return value;
}

/** Keeps who an item says it is from, but as a claim: a file cannot speak for a person here. */
export function claimed(claim: Json | undefined, by: string): string {
  if (claim === undefined || claim === null || claim === "") return by;
  if (typeof claim === "string" && IMPORTED.test(claim)) return claim;
  return `${by} (${typeof claim === "string" ? claim : JSON.stringify(claim)})`;
}
