import { textOf } from "../../../core/text/untrusted.ts";

/**
 * Who recorded something: a person typed it, an agent wrote it, a tool captured it, or it was imported. A prompt is
 * unconfirmed until the client's own transcript shows that a person typed it.
 */
export type Recorder = "person" | "agent" | "tool" | "imported" | "unconfirmed";

/** Who recorded an item, by its own account. Only the kind is shown: the rest of the field is untrusted text. */
export function recorderOf(item: unknown): Recorder | undefined {
  const by = textOf(item, "by");
  if (by === undefined) return undefined;
  if (/^(import|imported)\b/i.test(by)) return "imported";
  if (/^(tool|hook|capture|git|collector)\b/i.test(by)) return "tool";
  if (/^agent\b/i.test(by)) return "agent";
  if (by === "unconfirmed") return by;
  return /^(person|user|human)\b/i.test(by) ? "person" : undefined;
}
