import { noteOfCut } from "./visible.ts";

/**
 * Readers for unchecked values. A state may come from an import, an older version or an attacker: whatever is there,
 * these return something harmless, and never throw.
 */

/** What a text says, if it is JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether the value is an object, not a list. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value, if it is an object and not a list. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

/** A list as it is; nothing as an empty list; anything else as a list of one. */
export function asList(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** Non-blank text from a string, number or boolean. */
export function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim();
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}

/** The first of these properties that holds text. */
export function textOf(value: unknown, ...names: readonly string[]): string | undefined {
  const record = asRecord(value);
  if (record === undefined) return undefined;
  for (const name of names) {
    const text = Object.hasOwn(record, name) ? asText(record[name]) : undefined;
    if (text !== undefined) return text;
  }
  return undefined;
}

/** An own property; never an inherited one, such as `constructor`. */
export function own(value: unknown, name: string): unknown {
  const record = asRecord(value);
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Any value as JSON with a blank after each comma. What is beyond `limit` characters is left out, and counted. */
export function describe(value: unknown, limit = 2000): string {
  const json = jsonOf(value);
  const note = json.length > limit ? noteOfCut(json.length - limit) : "";
  return `${spaced(json.slice(0, limit))}${note}`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A cycle, or something else that JSON cannot say.
    return "…";
  }
}

/** Long lines wrap and are read better with blanks. */
function spaced(json: string): string {
  let isQuoted = false;
  return json.replaceAll(/\\.|[",]/g, (found) => {
    if (found === '"') isQuoted = !isQuoted;
    return found === "," && !isQuoted ? ", " : found;
  });
}
