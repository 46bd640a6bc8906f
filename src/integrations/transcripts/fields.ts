import { cut } from "../../text/cut.ts";
import { own } from "../../text/untrusted.ts";

/** Readers for lines in a client's internal format. They never throw. */

export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce(own, value);
}

/** A text that is not empty. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = fieldOf(value, ...path);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
}

export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = fieldOf(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function countAt(value: unknown, ...path: readonly string[]): number {
  const found = fieldOf(value, ...path);
  return typeof found === "number" && Number.isSafeInteger(found) && found > 0 ? found : 0;
}

/** A moment in ISO form, if it is one. */
export function momentAt(value: unknown, ...path: readonly string[]): string | undefined {
  const text = textAt(value, ...path);
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** A text of at most so many characters, for a field that may be null. */
export function clipped(text: string | undefined, limit: number): string | null {
  return text === undefined ? null : cut(text, limit);
}
