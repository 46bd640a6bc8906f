import { asRecord } from "../../text/untrusted.ts";

/** Readers for lines of a format that belongs to somebody else: whatever is there, these never throw. */

export type Fields = Readonly<Record<string, unknown>>;

export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const name of path) {
    const fields = asRecord(found);
    if (fields === undefined || !Object.hasOwn(fields, name)) return undefined;
    found = fields[name];
  }
  return found;
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

/** JSON text as an object; undefined for anything else. */
export function parseFields(text: string | undefined): Fields | undefined {
  if (text === undefined) return undefined;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}
