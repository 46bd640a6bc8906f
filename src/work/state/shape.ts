import { isRecord } from "../../core/text/untrusted.ts";
import type { Json, JsonSchema } from "../../core/objects/json.ts";

export type { JsonSchema };

/**
 * What a value looks like, said once: the TypeScript type follows from it, the published JSON Schema, and the reader of
 * values that any program may have written.
 */
export interface Shape<Value> {
  readonly schema: JsonSchema;
  /** The definitions that the schema refers to. */
  readonly definitions?: JsonSchema;
  /** What the entries of a list look like. */
  readonly items?: Shape<unknown>;
  /** Makes one of a sentence, where a plain one will do. */
  readonly fromText?: (text: string) => Value | undefined;
  /** The value itself where it fits, else the nearest that does; undefined where there is none. Never throws. */
  readonly read: (value: unknown) => Value | undefined;
}

export type ShapeValue<Of> = Of extends Shape<infer Value> ? Value : never;

/** Text that says something. Programs write numbers and flags for it, too. */
export const text: Shape<string> = {
  schema: { type: "string" },
  read: (value) => {
    if (typeof value === "string") return value.charCodeAt(0) > 32 || value.trim() !== "" ? value : undefined;
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  },
};

export const flag: Shape<boolean> = {
  schema: { type: "boolean" },
  read: (value) => (typeof value === "boolean" ? value : undefined),
};

export const number: Shape<number> = {
  schema: { type: "number" },
  read: (value) => (typeof value === "number" ? value : undefined),
};

export const integer: Shape<number> = { ...number, schema: { type: "integer" } };

/** Whatever JSON can say. */
export const anything: Shape<Json> = {
  schema: {},
  read: (value) => (value ?? undefined) as Json | undefined,
};

export const textOrInteger: Shape<string | number> = {
  schema: { type: ["integer", "string"] },
  read: (value) => number.read(value) ?? text.read(value),
};

/** One of these words. Any other text is read as well: a newer version may have a word more. */
export function word<const Word extends string>(...words: readonly Word[]): Shape<Word> {
  return { schema: { enum: words }, read: text.read as Shape<Word>["read"] };
}

export function nullable<Value>({ schema, read, ...rest }: Shape<Value>): Shape<Value | null> {
  return {
    ...rest,
    schema: { ...schema, type: [schema["type"], "null"] },
    read: (value) => (value === null ? null : read(value)),
  };
}

/** Entries that do not fit are left out. */
export function list<Value>(items: Shape<Value>): Shape<Value[]> {
  const { schema, definitions, read } = items;
  return {
    schema: { type: "array", ...(schema !== anything.schema && { items: schema }) },
    items,
    ...(definitions && { definitions }),
    read: (value) => {
      if (!Array.isArray(value)) return undefined;
      let fitting = 0;
      while (fitting < value.length && read(value[fitting]) === value[fitting]) fitting++;
      if (fitting === value.length) return value as Value[];
      const rest = value.slice(fitting).map(read);
      return [...value.slice(0, fitting), ...rest.filter((item) => item !== undefined)];
    },
  };
}

/** Values by key. */
export const map: Shape<{ [key: string]: Json }> = {
  schema: { type: "object" },
  read: (value) => (isRecord(value) ? (value as { [key: string]: Json }) : undefined),
};

/** A part of an object: one that has neither a fallback nor is optional must fit, or else the object does not. */
interface ObjectPart<Value> extends Shape<Value> {
  readonly isOptional?: boolean;
  /** Stands in for a part that is missing or does not fit. */
  readonly fallback?: Value;
  /** Whether the published schema asks for it; by default unless it is optional. */
  readonly isRequired?: boolean;
}

interface OptionalPart<Value> extends ObjectPart<Value> {
  readonly isOptional: true;
}

export const optional = <Value>(shape: Shape<Value>): OptionalPart<Value> => ({ ...shape, isOptional: true });

export const orElse = <Value>(
  shape: Shape<Value>,
  fallback: NoInfer<Value>,
  isRequired = true,
): ObjectPart<Value> => ({ ...shape, fallback, isRequired });

type Parts = Readonly<Record<string, ObjectPart<unknown>>>;
type ObjectOf<Of extends Parts> = Flat<
  { [Name in keyof Of as Of[Name] extends OptionalPart<unknown> ? never : Name]: ShapeValue<Of[Name]> } & {
    [Name in keyof Of as Of[Name] extends OptionalPart<unknown> ? Name : never]?: ShapeValue<Of[Name]>;
  }
>;
type Flat<Value> = { [Name in keyof Value]: Value[Name] };

/** An object with these parts, and any others besides. With a name, it becomes a definition in the published schema. */
export function object<Of extends Parts>(parts: Of, name?: string): Shape<ObjectOf<Of>> {
  const entries = Object.entries(parts);
  const [names, shapes] = [Object.keys(parts), Object.values(parts)];
  const required = entries
    .filter(([, { isOptional, isRequired = !isOptional }]) => isRequired)
    .map(([part]) => part);
  const schema = {
    type: "object",
    properties: Object.fromEntries(entries.map(([part, shape]) => [part, shape.schema])),
    ...(required.length > 0 && { required }),
  };
  const reference = name === undefined ? { schema } : referTo(name, schema);
  return { ...reference, read: (value) => readParts(value, names, shapes) as ObjectOf<Of> | undefined };
}

const referTo = (name: string, schema: JsonSchema) => ({
  schema: { $ref: `#/$defs/${name}` },
  definitions: { [name]: schema },
});

/**
 * The object itself if all its parts are as they should be: nearly always, and then nothing is copied. Loops by index,
 * here and in lists: a command that reads thousands of tasks ends before iterators are compiled.
 */
function readParts(value: unknown, names: readonly string[], parts: readonly ObjectPart<unknown>[]) {
  if (!isRecord(value)) return undefined;
  let view = value;
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string;
    const part = parts[at] as ObjectPart<unknown>;
    const found = value[name];
    if (found === undefined && part.isOptional) continue;
    const fitting = part.read(found);
    if (fitting === found && found !== undefined) continue;
    const wanted = fitting === undefined ? part.fallback : fitting;
    if (wanted === undefined && !part.isOptional) return undefined;
    if (view === value) view = { ...value };
    if (wanted === undefined) delete view[name];
    else view[name] = wanted;
  }
  return view;
}
