import { idOf, type Entry } from "./entry.ts";
import { plain } from "./same.ts";

/** Something to look a value up by. Equal values have equal ones; different values mostly have different ones. */
export type Fingerprint = unknown;

/** How many entries of a container without an id are looked at, and how many characters of each. */
const [ENTRIES, CHARS] = [4, 40];

/** The fingerprint of a caller's value. */
export function fingerprintOf(value: unknown): Fingerprint {
  const json = typeof value === "object" && value !== null ? plain(value, "") : value;
  if (typeof json !== "object" || json === null) return json;
  const id: unknown = Array.isArray(json) ? undefined : (json as { id?: unknown }).id;
  if (typeof id === "string" || typeof id === "number") return id;
  return summary(Array.isArray(json) ? json : definedValues(json));
}

/** The fingerprint of the value that an entry remembers. */
export function fingerprintOfEntry(entry: Entry): Fingerprint {
  if (entry.kind !== "tree") return fingerprintOf(entry.value);
  const { entries } = entry;
  return (
    idOf(entry) ??
    summary(entries.slice(0, ENTRIES).map((child) => (child.kind === "tree" ? entries : child.value)))
  );
}

function definedValues(value: object): unknown[] {
  const values: unknown[] = [];
  for (const key in value) {
    const child = (value as Record<string, unknown>)[key];
    if (child !== undefined && Object.hasOwn(value, key)) values.push(child);
    if (values.length === ENTRIES) break;
  }
  return values;
}

function summary(values: readonly unknown[]): string {
  let text = "";
  for (let index = 0; index < values.length && index < ENTRIES; index++) text += `${brief(values[index])}\n`;
  return text;
}

function brief(value: unknown): string {
  const json = typeof value === "object" && value !== null ? plain(value, "") : value;
  if (typeof json === "string") return json.length <= CHARS ? json : `${json.length} ${json.slice(0, CHARS)}`;
  return typeof json === "object" && json !== null ? "…" : String(json);
}
