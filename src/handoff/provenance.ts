import { textOf } from "./untrusted.ts";

/** Who recorded something: a person typed it, an agent wrote it, a tool captured it, or it came from elsewhere. */
export type Origin = "person" | "agent" | "tool" | "imported";

/**
 * What an item says of who recorded it. Only the kind is shown: the rest of the field is text that anyone may
 * have written.
 */
export function originOf(item: unknown): Origin | undefined {
  const by = textOf(item, "by");
  if (by === undefined) return undefined;
  if (/^(import|imported)\b/i.test(by)) return "imported";
  if (/^(tool|hook|capture|git|collector)\b/i.test(by)) return "tool";
  if (/^agent\b/i.test(by)) return "agent";
  return /^(person|user|human)\b/i.test(by) ? "person" : undefined;
}

/** Whether a whole checkpoint came from elsewhere: then nothing in it can vouch for itself. */
export function isImported(checkpoint: unknown): boolean {
  return /^import/i.test(textOf(checkpoint, "trigger") ?? "");
}
