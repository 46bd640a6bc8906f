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

const DEEPEST = 8;

/**
 * Any value roughly as `JSON.stringify` would print it, but stopping soon after `limit` characters: a variable of ten
 * megabytes costs no more than what is shown of it. A `…` marks what is left out.
 */
export function describe(value: unknown, limit = 2000): string {
  const out = { text: "", limit };
  write(value, 0, out);
  return out.text;
}

/** More parts than these are not counted: that would take too long. */
const MOST_PARTS = 1_000_000;

/** The same, with a note on how many characters are missing. */
export function describeCut(value: unknown, limit = 2000): string {
  const text = describe(value, limit);
  if (text.length <= limit) return text;
  const missing = charsOf(value, 0, { left: MOST_PARTS }) - limit;
  return missing <= 0 ? text : `${text.slice(0, limit)}${noteOfCut(missing)}`;
}

/** How long the description of a value would be without a limit; escapes count as what they stand for. */
function charsOf(value: unknown, depth: number, parts: { left: number }): number {
  parts.left -= 1;
  if (parts.left < 0) return 0;
  if (typeof value === "string") return value.length + 2;
  const record = asRecord(value);
  if (!Array.isArray(value) && record === undefined) return String(value).length;
  const members: readonly [string, unknown][] = Object.entries(value as object);
  if (depth >= DEEPEST) return members.length > 0 ? 3 : 2;
  const separators = 2 * Math.max(0, members.length - 1);
  return members.reduce(
    (sum, [name, member]) =>
      sum + (record === undefined ? 0 : name.length + 3) + charsOf(member, depth + 1, parts),
    2 + separators,
  );
}

interface DescriptionBuffer {
  text: string;
  readonly limit: number;
}

function write(value: unknown, depth: number, out: DescriptionBuffer): void {
  if (out.text.length > out.limit) out.text += "…";
  else if (Array.isArray(value)) writeAll("[]", value, depth, out, (item) => write(item, depth + 1, out));
  else if (typeof value === "string") writeString(value, out);
  else if (asRecord(value) !== undefined) {
    writeAll("{}", Object.entries(value as object), depth, out, ([name, item]: [string, unknown]) => {
      writeString(name, out);
      out.text += ":";
      write(item, depth + 1, out);
    });
  } else out.text += String(value);
}

function writeString(text: string, out: DescriptionBuffer): void {
  out.text += `${JSON.stringify(text.slice(0, out.limit))}${text.length > out.limit ? "…" : ""}`;
}

function writeAll<T>(
  brackets: string,
  items: readonly T[],
  depth: number,
  out: DescriptionBuffer,
  writeOne: (item: T) => void,
): void {
  out.text += brackets[0];
  // A cycle would never end.
  if (depth >= DEEPEST && items.length > 0) out.text += "…";
  else {
    for (const [index, item] of items.entries()) {
      if (index > 0) out.text += ", ";
      if (out.text.length > out.limit) {
        out.text += "…";
        break;
      }
      writeOne(item);
    }
  }
  out.text += brackets[1];
}
