import { setOwn, type Json, type JsonObject } from "./json.ts";
import { MAX_DEPTH } from "./limits.ts";

/** A kind of value that JSON cannot say: how it is recognised, what is written of it, and how it is made again. */
export interface ValueKind {
  readonly is: (value: unknown) => boolean;
  /** May hold values that JSON cannot say itself. */
  readonly write: (value: never) => unknown;
  readonly read: (content: never) => unknown;
}

const isA = (type: abstract new (...args: never[]) => unknown) => (value: unknown) => value instanceof type;

/** Each stands in JSON as an object with one key, which begins with a dollar sign. */
const KINDS: Readonly<Record<string, ValueKind>> = {
  $undefined: { is: (value) => value === undefined, write: () => true, read: () => undefined },
  $number: {
    is: (value) => typeof value === "number",
    write: (value: number) => (Object.is(value, -0) ? "-0" : String(value)),
    read: Number,
  },
  $bigint: { is: (value) => typeof value === "bigint", write: String, read: BigInt },
  $bytes: {
    is: isA(Uint8Array),
    write: (bytes: Uint8Array) => Buffer.from(bytes).toString("base64"),
    read: (text: string) => new Uint8Array(Buffer.from(text, "base64")),
  },
  $date: { is: isA(Date), write: Number, read: (time: number) => new Date(time) },
  $set: { is: isA(Set), write: (set: Set<unknown>) => [...set], read: (values: []) => new Set(values) },
  $map: {
    is: isA(Map),
    write: (map: Map<unknown, unknown>) => [...map],
    read: (pairs: []) => new Map(pairs),
  },
  $regexp: {
    is: isA(RegExp),
    write: ({ source, flags }: RegExp) => [source, flags],
    read: ([source, flags]: [string, string]) => new RegExp(source, flags),
  },
  $error: {
    is: isA(Error),
    write: ({ name, message }: Error) => [name, message],
    read: ([name, message]: [string, string]) =>
      Object.assign(new Error(message), name !== "Error" && { name }),
  },
};

/** The key of data that only looks like one of these. */
const DATA = "$data";

/** Writes values that JSON cannot say as JSON, and makes them again. */
export interface ValueCodec {
  /** What is JSON already is returned as it is, not copied, so that an encoder recognises what it has seen. */
  readonly write: (value: unknown) => Json;
  /** A fresh value, which its reader may change. */
  readonly read: (json: Json) => unknown;
}

/**
 * A codec for bytes, dates, maps, sets, undefined, NaN and the like, and for kinds of the caller's own. Instances of other
 * classes become what their `toJSON` returns, or their own properties; functions are left out. Data that looks like what is
 * written here stays data.
 *
 * @example
 * const { write, read } = createValueCodec();
 * read(write({ seen: new Set(["a"]), at: new Date(0) })); // the same again
 */
export function createValueCodec(own: Readonly<Record<`$${string}`, ValueKind>> = {}): ValueCodec {
  const kinds: Kinds = { ...KINDS, ...own };
  return {
    write: (value) => (writeValue(value, kinds, 0) ?? null) as Json,
    read: (json) => readValue(json, kinds),
  };
}

type Kinds = Readonly<Record<string, ValueKind>>;

function writeValue(value: unknown, kinds: Kinds, depth: number): unknown {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value;
  if (typeof value === "number" && Number.isFinite(value) && !Object.is(value, -0)) return value;
  if (typeof value === "function" || typeof value === "symbol") return undefined;
  // An encoder refuses what is nested deeper than this, or contains itself, and says where.
  if (depth > MAX_DEPTH) return value;
  const inside = (content: unknown) => writeValue(content, kinds, depth + 1);
  if (Array.isArray(value)) {
    const copy = Array.from(value, (item) => inside(item) ?? null);
    return copy.every((item, at) => item === value[at]) ? value : copy;
  }
  if (isPlain(value)) {
    const copy = writeObject(value, inside);
    return looksLikeKind(value, kinds) ? { [DATA]: copy } : copy;
  }
  for (const key in kinds) {
    const kind = kinds[key] as ValueKind;
    if (kind.is(value)) return { [key]: inside(kind.write(value as never)) };
  }
  return inside(hasToJson(value) ? value.toJSON() : { ...(value as object) });
}

function readValue(json: Json, kinds: Kinds): unknown {
  if (typeof json !== "object" || json === null) return json;
  const inside = (content: Json) => readValue(content, kinds);
  if (Array.isArray(json)) return json.map(inside);
  if (!looksLikeKind(json, kinds)) return readObject(json, inside);
  const [[key, content]] = Object.entries(json) as [[string, Json]];
  return key === DATA
    ? readObject(content as JsonObject, inside)
    : kinds[key]?.read(inside(content) as never);
}

function looksLikeKind(value: object, kinds: Kinds): boolean {
  const key = onlyKey(value);
  return key === DATA || (key !== undefined && Object.hasOwn(kinds, key));
}

function writeObject(
  value: Readonly<Record<string, unknown>>,
  inside: (content: unknown) => unknown,
): object {
  let copy: JsonObject | undefined;
  for (const key of Object.keys(value)) {
    const json = inside(value[key]);
    if (json === value[key]) continue;
    copy ??= { ...value } as JsonObject;
    if (json === undefined) delete copy[key];
    else setOwn(copy, key, json as Json);
  }
  return copy ?? value;
}

function readObject(json: JsonObject, inside: (content: Json) => unknown): JsonObject {
  // Copied at once, and then only what is inside of it: most of what is read are small objects of texts and numbers.
  const copy = { ...json };
  for (const key in copy) {
    const value = copy[key] as Json;
    if (typeof value === "object" && value !== null) setOwn(copy, key, inside(value) as Json);
  }
  return copy;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || hasToJson(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return typeof (value as { toJSON?: unknown } | undefined)?.toJSON === "function";
}

/** The key of an object with one key, if that begins with a dollar sign. */
function onlyKey(value: object): string | undefined {
  let only: string | undefined;
  for (const key in value) {
    if (only !== undefined || !key.startsWith("$")) return undefined;
    only = key;
  }
  return only;
}
