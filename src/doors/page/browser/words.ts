import { describe, textOf } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";

export { bytes } from "../../../work/state/words.ts";
export { textOf };

/** A value as one line of text. */
export function asLine(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  return typeof value === "string" ? oneLine(value) : describe(value, 500);
}

/** What an entry of a list says, whatever kind of entry it is. */
export function entryWords(entry: unknown): string {
  return textOf(entry, "text", "what", "subject", "name", "action") ?? asLine(entry);
}

export function countWords(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`;
}

/** A trail's name, with the long id of a session cut short. */
export const trailWords = (name: string) =>
  name.replace(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22}\b/, "$1…");

/** Who saved a checkpoint, as far as it says. */
export const whoSaved = (by: { agent_id: string | null; session_id: string | null }) =>
  by.agent_id ?? (by.session_id === null ? "a person" : "an agent");

/** All whole numbers from one to another, both included. */
export const range = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
