import type { Entry, Leaf } from "./entry.ts";
import type { Json, JsonObject } from "./json.ts";
import { whyRefused } from "./refusal.ts";

/**
 * Recognises values that are still what an entry remembers, without encoding anything. With `remembersSources` it
 * notes whose content it has compared: the caller promised never to change those objects.
 */
export class Matcher {
  readonly #remembersSources: boolean;

  constructor(remembersSources: boolean) {
    this.#remembersSources = remembersSources;
  }

  /** `key` is where the value stands: its `toJSON` may ask. */
  matches(value: unknown, entry: Entry, key: string | number): boolean {
    if (entry.kind === "leaf") return this.matchesLeaf(value, entry, key);
    if (entry.kind === "string") return value === entry.value;
    if (entry.source !== undefined && value === entry.source) return true;
    if (typeof value !== "object" || value === null) return false;
    const container = containerOf(value, key);
    if (container === undefined) return false;
    if (Array.isArray(container))
      return entry.keys === undefined && this.#matchesArray(container, entry.entries);
    return entry.keys !== undefined && this.#matchesObject(container, entry.keys, entry.entries);
  }

  matchesLeaf(value: unknown, leaf: Leaf, key: string | number): boolean {
    if (leaf.source !== undefined && value === leaf.source) return true;
    if (!isSame(value, leaf.value, key)) return false;
    if (this.#remembersSources && typeof value === "object") leaf.source = value;
    return true;
  }

  #matchesArray(values: readonly unknown[], entries: readonly Entry[]): boolean {
    if (values.length !== entries.length) return false;
    return entries.every((entry, index) => this.matches(values[index], entry, index));
  }

  #matchesObject(
    value: Readonly<Record<string, unknown>>,
    keys: readonly string[],
    entries: readonly Entry[],
  ): boolean {
    const present = Object.keys(value).filter((key) => value[key] !== undefined);
    return (
      present.length === keys.length &&
      present.every(
        (key, index) => key === keys[index] && this.matches(value[key], entries[index] as Entry, key),
      )
    );
  }
}

/**
 * Whether a caller's value is still what was remembered of it, as JSON would write both.
 * Property order counts, because it is part of the state. Never throws for what JSON cannot say: that is
 * simply not the same as anything remembered.
 */
function isSame(value: unknown, remembered: Json, key: string | number = ""): boolean {
  if (value === remembered) return true;
  if (typeof value !== "object" || value === null) return false;
  if (typeof remembered !== "object" || remembered === null) return isSamePrimitive(value, remembered, key);
  if (isPlainObject(value)) return !Array.isArray(remembered) && isSameObject(value, remembered);
  const container = containerOf(value, key);
  if (Array.isArray(container)) return Array.isArray(remembered) && isSameArray(container, remembered);
  if (container === undefined || Array.isArray(remembered)) return false;
  return isSameObject(container, remembered);
}

/** The array or object that JSON would write for a value, or undefined when it would write neither, or lose it. */
function containerOf(value: object, key: string | number): unknown[] | Record<string, unknown> | undefined {
  if (isPlainObject(value)) return value;
  const json = plain(value, key);
  if (Array.isArray(json)) return json;
  if (typeof json !== "object" || json === null || whyRefused(json) !== undefined) return undefined;
  return json as Record<string, unknown>;
}

/** What JSON.stringify would look at: the result of `toJSON`, the inside of a boxed primitive. */
export function plain(value: object, key: string | number): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  const result: unknown = typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
  return isBoxed(result) ? result.valueOf() : result;
}

function isBoxed(value: unknown): value is object {
  return (
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof BigInt ||
    value instanceof Symbol
  );
}

/** A date, say, is remembered as the string that it becomes. */
function isSamePrimitive(value: object, remembered: Json, key: string | number): boolean {
  return !isPlainObject(value) && plain(value, key) === remembered;
}

/**
 * Most values are literals, which have no `toJSON` unless it is a property of their own; and a property of
 * their own that is a function is not the same as anything remembered. So nothing needs to be looked up.
 */
function isPlainObject(value: object): value is Record<string, unknown> {
  return (
    Object.getPrototypeOf(value) === Object.prototype && (value as { toJSON?: unknown }).toJSON === undefined
  );
}

function isSameArray(value: readonly unknown[], remembered: readonly Json[]): boolean {
  if (value.length !== remembered.length) return false;
  for (let index = 0; index < remembered.length; index++) {
    if (!isSame(value[index], remembered[index] as Json, index)) return false;
  }
  return true;
}

function isSameObject(value: Record<string, unknown>, remembered: JsonObject): boolean {
  const keys = Object.keys(value);
  let index = 0;
  // What is remembered are objects of our own, so their enumerable keys are their own keys.
  for (const key in remembered) {
    while (keys[index] !== key) {
      // Properties that are undefined do not count.
      if (index >= keys.length || value[keys[index] as string] !== undefined) return false;
      index++;
    }
    const child = value[key];
    const other = remembered[key] as Json;
    // Not ===, for which V8 calls a comparison of texts before it looks at the references.
    if (!Object.is(child, other) && !isSame(child, other, key)) return false;
    index++;
  }
  for (; index < keys.length; index++) if (value[keys[index] as string] !== undefined) return false;
  return true;
}
