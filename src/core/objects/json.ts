/** Any JSON value, as `JSON.parse` would return it. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object. Keys keep their order; `__proto__` is a key like any other. */
export interface JsonObject {
  [key: string]: Json;
}

/** Where a value sits inside another: property names and array positions from the outside in. */
export type Path = readonly (string | number)[];

/** A path as people write it: `tasks[3].status`, `variables["my key"]`; the whole value is `(root)`. */
export function formatPath(path: Path): string {
  if (path.length === 0) return "(root)";
  return path.map((step, index) => formatStep(step, index === 0)).join("");
}

function formatStep(step: string | number, isFirst: boolean): string {
  if (typeof step === "number") return `[${step}]`;
  if (!/^[A-Za-z_$][\w$]*$/.test(step)) return `[${JSON.stringify(step)}]`;
  return isFirst ? step : `.${step}`;
}

/** Sets an own property even when it is called `__proto__`, which plain assignment would not. */
export function setOwn(target: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

/** A copy that shares nothing with the value. */
export function copyJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson);
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) setOwn(copy, key, copyJson(value[key] as Json));
  return copy;
}

/** A JSON Schema (draft 2020-12), as far as ours need it. */
export type JsonSchema = Readonly<Record<string, unknown>>;
