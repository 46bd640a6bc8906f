import { setOwn, type Json, type JsonObject } from "../objects/json.ts";

/** The fields of a work state that hold words, for which a handoff says who recorded them. */
const FIELDS_WITH_WORDS: ReadonlySet<string> = new Set(
  (
    "goal next_action success_criteria instructions constraints decisions blockers gotchas phase tasks dependencies " +
    "recent_outputs files_touched commands checks_failing subagents workspace approvals_pending run session"
  ).split(" "),
);

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
    setOwn(marked, field, FIELDS_WITH_WORDS.has(field) ? markValue(value, by, texts) : value);
  }
  if (texts.size > 0) marked.imported_texts = [...texts];
  return JSON.stringify(marked) === JSON.stringify(state) ? state : (marked as State);
}

/** Takes the mark off texts that are in `fresh`: they have now been said here. */
export function unmarkSaid(state: { imported_texts?: unknown }, fresh: object): void {
  const { imported_texts: marks } = state;
  if (!Array.isArray(marks)) return;
  const said = Object.entries(fresh).flatMap(([field, value]) =>
    FIELDS_WITH_WORDS.has(field) ? [value].flat() : [],
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
