import { setOwn, type Json, type JsonObject } from "../objects/json.ts";

/** The fields of a work state that a handoff reads as somebody's words, and so says who recorded them. */
const SAYING = [
  "goal",
  "next_action",
  "success_criteria",
  "instructions",
  "constraints",
  "decisions",
  "blockers",
  "gotchas",
  "phase",
  "tasks",
  "dependencies",
  "recent_outputs",
  "files_touched",
  "commands",
  "checks_failing",
  "subagents",
  "workspace",
  "approvals_pending",
  "run",
  "session",
] as const;

const IMPORTED = /^import(ed)?\b/i;

/**
 * A state that came from a file, marked as such, so that the mark outlives every later save. An item with fields says
 * it in `by`, where what it claimed about itself remains as a claim. What is only text, such as the goal, is repeated
 * in `imported_texts`: that mark ends when the text does. What the file says in `imported_texts` counts for nothing.
 * A state without any such words is returned as it is.
 */
export function markImported<State extends object>(state: State, by: string): State {
  const texts = new Set<string>();
  const marked: JsonObject = {};
  for (const [field, value] of Object.entries(state) as [string, Json][]) {
    if (field === "imported_texts") continue;
    setOwn(marked, field, isSaying(field) ? markValue(value, by, texts) : value);
  }
  if (texts.size > 0) marked.imported_texts = [...texts];
  return JSON.stringify(marked) === JSON.stringify(state) ? state : (marked as State);
}

/** Takes the mark from texts that were said here just now, by whoever it was: from now on they are theirs. */
export function saidHere(state: { imported_texts?: unknown }, fresh: object): void {
  const { imported_texts: marks } = state;
  if (!Array.isArray(marks)) return;
  const said = Object.entries(fresh).flatMap(([field, value]) => (isSaying(field) ? [value].flat() : []));
  const rest = marks.filter((text) => !said.includes(text));
  if (rest.length > 0) state.imported_texts = rest;
  else delete state.imported_texts;
}

function isSaying(field: string): boolean {
  return (SAYING as readonly string[]).includes(field);
}

function markValue(value: Json, by: string, texts: Set<string>): Json {
  if (Array.isArray(value)) return value.map((item) => markValue(item, by, texts));
  if (typeof value === "object" && value !== null) return { ...value, by: claimed(value.by, by) };
  if (typeof value === "string" && value.trim() !== "") texts.add(value);
  return value;
}

/** Who it claims to be from is kept, but as a claim: a file cannot speak for a person here. */
export function claimed(claim: Json | undefined, by: string): string {
  if (claim === undefined || claim === null || claim === "") return by;
  if (typeof claim === "string" && IMPORTED.test(claim)) return claim;
  return `${by} (${typeof claim === "string" ? claim : JSON.stringify(claim)})`;
}
