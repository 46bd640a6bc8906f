import { emptyWorkState } from "../../state/work-state.ts";
import { asList, asRecord, asText, own, textOf } from "../../../core/text/untrusted.ts";

/**
 * Who recorded something: a person typed it, an agent wrote it, a tool captured it, or it was imported. A prompt is
 * unconfirmed until the client's own transcript shows that a person typed it.
 */
export type Recorder = "person" | "agent" | "tool" | "imported" | "unconfirmed";

/**
 * Who recorded an item, by its own account. Only the kind is shown: the rest of the field is untrusted text.
 */
export function recorderOf(item: unknown): Recorder | undefined {
  const by = textOf(item, "by");
  if (by === undefined) return undefined;
  if (/^(import|imported)\b/i.test(by)) return "imported";
  if (/^(tool|hook|capture|git|collector)\b/i.test(by)) return "tool";
  if (/^agent\b/i.test(by)) return "agent";
  if (by === "unconfirmed") return by;
  return /^(person|user|human)\b/i.test(by) ? "person" : undefined;
}

/** Whether a whole checkpoint was imported: then nothing in it can vouch for itself. */
export function isImported(checkpoint: unknown): boolean {
  return /^import(?!:trusted$)/i.test(textOf(checkpoint, "trigger") ?? "");
}

/** The fields, lists too, whose plain texts cannot carry their own origin. */
const TEXT_FIELDS = Object.keys(emptyWorkState()).concat("goal", "next_action", "instructions");

/** The state in which every text listed in `imported_texts` is an item that says so itself. */
export function withImportMarks(state: unknown): unknown {
  const record = asRecord(state);
  const texts = new Set(asList(own(state, "imported_texts")).flatMap((text) => asText(text) ?? []));
  if (record === undefined || texts.size === 0) return state;
  const mark = (value: unknown) =>
    typeof value === "string" && texts.has(value.trim()) ? { text: value, by: "import" } : value;
  const marked = TEXT_FIELDS.flatMap((field) => {
    const value = own(state, field);
    if (value === undefined) return [];
    return [[field, Array.isArray(value) ? value.map(mark) : mark(value)] as const];
  });
  return { ...record, ...Object.fromEntries(marked) };
}
