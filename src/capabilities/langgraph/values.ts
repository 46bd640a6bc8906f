import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { CheckpointError } from "../../core/errors.ts";
import { setOwn, type Json, type JsonObject } from "../../core/objects/json.ts";
import { MAX_DEPTH } from "../../core/objects/limits.ts";

/** A class whose instances may be brought back, by the last part of its `lc_id`. */
export type Classes = ReadonlyMap<string, new (fields: never) => unknown>;

/** What JSON cannot say stands in a state as an object with one key, which begins with a dollar sign. */
type Reader = (json: Json, classes: Classes) => unknown;
const READERS: Readonly<Record<string, Reader>> = {
  $undefined: () => undefined,
  $number: (json) => Number(json),
  $bigint: (json) => BigInt(json as unknown as string),
  $bytes: (json) => new Uint8Array(Buffer.from(json as string, "base64")),
  $date: (json) => new Date((json as number | null) ?? Number.NaN),
  $set: (json, classes) => new Set(fromJson(json, classes) as unknown[]),
  $map: (json, classes) => new Map(fromJson(json, classes) as [unknown, unknown][]),
  $regexp: (json) => new RegExp(...(json as [string, string])),
  $error: (json) => errorOf(json as JsonObject),
  $delta: (json, classes) => new DeltaSnapshot(fromJson(json, classes)),
  /** Data of the program's own that only looks like one of these. */
  $data: (json, classes) => copyObject(json as JsonObject, classes),
};

/**
 * A value of a channel as JSON. A value that is JSON already is returned as it is, not copied, so the encoder recognises what
 * it has seen.
 */
export function toJson(value: unknown, classes: Classes, depth = 0): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number")
    return Number.isFinite(value) && !Object.is(value, -0) ? value : { $number: numberText(value) };
  if (value === undefined) return { $undefined: true };
  if (typeof value === "bigint") return { $bigint: value.toString() };
  if (typeof value !== "object") return undefined;
  if (depth > MAX_DEPTH) throw tooDeep();
  if (Array.isArray(value)) return arrayToJson(value, classes, depth);
  const prototype: unknown = Object.getPrototypeOf(value);
  if ((prototype === Object.prototype || prototype === null) && !("toJSON" in value))
    return objectToJson(value as Record<string, unknown>, classes, depth);
  return instanceToJson(value, classes, depth);
}

function arrayToJson(values: readonly unknown[], classes: Classes, depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    const json = toJson(value, classes, depth + 1);
    if (json === value) copy?.push(json);
    else (copy ??= values.slice(0, index)).push(json ?? null);
  }
  return copy ?? values;
}

function objectToJson(value: Record<string, unknown>, classes: Classes, depth: number): unknown {
  let copy: JsonObject | undefined;
  const keys = Object.keys(value);
  for (const key of keys) {
    const child = value[key];
    const json = toJson(child, classes, depth + 1);
    if (json === child) continue;
    copy ??= { ...value } as JsonObject;
    if (json === undefined) delete copy[key];
    else setOwn(copy, key, json as Json);
  }
  const isLookalike =
    (keys.length === 1 && Object.hasOwn(READERS, keys[0] as string)) || isConstructor(value);
  return isLookalike ? { $data: copy ?? value } : (copy ?? value);
}

interface Instance {
  readonly lg_name?: unknown;
  readonly lc_serializable?: unknown;
  readonly toJSON?: unknown;
}

function instanceToJson(value: Instance, classes: Classes, depth: number): unknown {
  const inside = (content: unknown) => toJson(content, classes, depth + 1);
  if (value instanceof Uint8Array) return { $bytes: Buffer.from(value).toString("base64") };
  if (value instanceof Date) return { $date: Number.isNaN(value.getTime()) ? null : value.getTime() };
  if (value instanceof Set) return { $set: inside([...value]) };
  if (value instanceof Map) return { $map: inside([...value]) };
  if (value instanceof RegExp) return { $regexp: [value.source, value.flags] };
  if (value.lg_name === "DeltaSnapshot") return { $delta: inside((value as unknown as DeltaSnapshot).value) };
  if (value instanceof Error) return { $error: { name: value.name, message: value.message } };
  if (value.lg_name === "Send") {
    const { node, args, timeout } = value as Instance & Record<string, unknown>;
    return inside({ node, args, ...(timeout !== undefined && { timeout }) });
  }
  if (value.lc_serializable === true) return classToJson(value as Serializable, classes, depth);
  if (typeof value.toJSON === "function") return inside((value.toJSON as () => unknown)());
  return objectToJson({ ...value }, classes, depth);
}

interface Serializable extends Record<string, unknown> {
  readonly lc_id: readonly string[];
  readonly lc_kwargs: Record<string, unknown>;
}

/** An object of LangChain, as LangChain itself writes it, with what was changed since it was made. */
function classToJson(value: Serializable, classes: Classes, depth: number): unknown {
  const { lc_id: id, lc_kwargs: given } = value;
  if (!classes.has(id.at(-1) as string)) throw unknownClass(id);
  const kwargs: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    const field = key in value ? value[key] : given[key];
    if (field !== undefined) kwargs[key] = field;
  }
  for (const key of Object.keys(value)) {
    const field = value[key];
    const isOwn = key in kwargs || key.startsWith("lc_") || key === "type" || typeof field === "function";
    if (!isOwn && field !== undefined && !isEmpty(field)) kwargs[key] = field;
  }
  return { lc: 1, type: "constructor", id, kwargs: toJson(kwargs, classes, depth + 1) };
}

/** The value that was stored, as a fresh copy that its reader may change. */
export function fromJson(json: Json, classes: Classes): unknown {
  if (typeof json !== "object" || json === null) return json;
  if (Array.isArray(json)) {
    const copy: unknown[] = [];
    for (const item of json) copy.push(fromJson(item, classes));
    return copy;
  }
  for (const key in json) {
    const read = key.startsWith("$") && Object.hasOwn(READERS, key) && READERS[key];
    if (read && Object.keys(json).length === 1) return read(json[key] as Json, classes);
    break;
  }
  if (!isConstructor(json)) return copyObject(json, classes);
  const known = classes.get((json["id"] as string[]).at(-1) as string);
  if (known === undefined) return copyObject(json, classes);
  return new known(fromJson(json["kwargs"] as Json, classes) as never);
}

function copyObject(json: JsonObject, classes: Classes): JsonObject {
  // Copied at once, and then only what is inside of it: most of what is read are small objects of texts and numbers.
  const copy = { ...json };
  for (const key in copy) {
    const value = copy[key] as Json;
    if (typeof value === "object" && value !== null) setOwn(copy, key, fromJson(value, classes) as Json);
  }
  return copy;
}

function isConstructor(value: Readonly<Record<string, unknown>>): boolean {
  return value["lc"] === 1 && value["type"] === "constructor" && Array.isArray(value["id"]);
}

function isEmpty(field: unknown): boolean {
  return typeof field === "object" && field !== null && Object.keys(field).length === 0;
}

const numberText = (value: number) => (Object.is(value, -0) ? "-0" : String(value));

function errorOf({ name, message }: JsonObject): Error {
  const error = new Error(message as string);
  if (name !== "Error") error.name = name as string;
  return error;
}

function unknownClass(id: readonly string[]): CheckpointError {
  const name = id.at(-1) as string;
  return new CheckpointError("usage", `The state holds a "${name}", which could not be brought back.`, {
    hint: `Allow it: new CairnSaver({ classes: [${name}] }), or keep plain data in the state.`,
    details: { class: id.join("/") },
  });
}

function tooDeep(): CheckpointError {
  return new CheckpointError(
    "usage",
    `The state nests deeper than ${MAX_DEPTH} levels, or contains itself.`,
    {
      hint: "Store an id instead of a reference back to a parent.",
      details: { limit: MAX_DEPTH },
    },
  );
}
