import type { Json } from "./json.ts";

/**
 * Whether a caller's value is still what was remembered of it, as JSON would write both.
 * Property order counts, because it is part of the state. Never throws: what JSON cannot say is
 * simply not the same as anything remembered.
 */
export function isSame(value: unknown, remembered: Json): boolean {
  if (value === remembered) return true;
  if (typeof value !== "object" || value === null) return false;
  const json = plain(value);
  if (json !== value) return isSamePlain(json, remembered);
  return isSamePlain(value, remembered);
}

/** What JSON.stringify would look at: the result of `toJSON`, the inside of a boxed primitive. */
export function plain(value: object, key: string | number = ""): unknown {
  const { toJSON } = value as { toJSON?: unknown };
  const result: unknown = typeof toJSON === "function" ? toJSON.call(value, String(key)) : value;
  if (result instanceof Number || result instanceof String || result instanceof Boolean)
    return result.valueOf();
  return result;
}

function isSamePlain(value: unknown, remembered: Json): boolean {
  if (value === remembered) return true;
  if (typeof value !== "object" || value === null) return false;
  if (typeof remembered !== "object" || remembered === null) return false;
  if (Array.isArray(value)) return Array.isArray(remembered) && isSameArray(value, remembered);
  return !Array.isArray(remembered) && isSameObject(value as Record<string, unknown>, remembered);
}

function isSameArray(value: readonly unknown[], remembered: readonly Json[]): boolean {
  if (value.length !== remembered.length) return false;
  for (let index = 0; index < remembered.length; index++) {
    if (!isSame(value[index], remembered[index] as Json)) return false;
  }
  return true;
}

function isSameObject(value: Record<string, unknown>, remembered: Record<string, Json>): boolean {
  const keys = Object.keys(remembered);
  let index = 0;
  for (const key of Object.keys(value)) {
    const child = value[key];
    if (child === undefined) continue;
    if (key !== keys[index]) return false;
    if (child !== remembered[key] && !isSame(child, remembered[key] as Json)) return false;
    index++;
  }
  return index === keys.length;
}
