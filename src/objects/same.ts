import type { Json, JsonObject } from "./json.ts";

/**
 * Whether a caller's value is still what was remembered of it, as JSON would write both.
 * Property order counts, because it is part of the state. Never throws for what JSON cannot say: that is
 * simply not the same as anything remembered.
 */
export function isSame(value: unknown, remembered: Json): boolean {
  if (value === remembered) return true;
  if (typeof value !== "object" || value === null) return false;
  if (typeof remembered !== "object" || remembered === null) return isSamePrimitive(value, remembered);
  if (isPlainObject(value)) return !Array.isArray(remembered) && isSameObject(value, remembered);
  const json = plain(value);
  if (Array.isArray(json)) return Array.isArray(remembered) && isSameArray(json, remembered);
  if (typeof json !== "object" || json === null || Array.isArray(remembered)) return false;
  return isSameObject(json as Record<string, unknown>, remembered);
}

/** What JSON.stringify would look at: the result of `toJSON`, the inside of a boxed primitive. */
export function plain(value: object, key: string | number = ""): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  const result: unknown = typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
  if (result instanceof Number || result instanceof String || result instanceof Boolean)
    return result.valueOf();
  return result;
}

/** A date, say, is remembered as the string that it becomes. */
function isSamePrimitive(value: object, remembered: Json): boolean {
  return !isPlainObject(value) && plain(value) === remembered;
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
    if (!isSame(value[index], remembered[index] as Json)) return false;
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
    if (child !== other && !isSame(child, other)) return false;
    index++;
  }
  for (; index < keys.length; index++) if (value[keys[index] as string] !== undefined) return false;
  return true;
}
