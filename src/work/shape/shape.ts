import type { Json, JsonSchema, Path } from "../../core/objects/json.ts";
import type { Faults } from "./check.ts";

/**
 * What a value looks like, said once: a JSON Schema whose TypeScript type the compiler knows. The fields of the work state,
 * the inputs and results of verbs, config and workflow files are described by it. `check` tells what is wrong with a value,
 * `read` makes the best of one, and `schemas/` has it as it is.
 */
export interface Shape<Value = unknown> extends JsonSchema {
  /** Never there, as all that begins with a tilde: only the compiler sees it. */
  readonly "~value"?: Value;
}

type Type = "string" | "boolean" | "number" | "integer" | "null" | "array" | "object";

/** The keywords of JSON Schema that are checked and read. */
export interface Keywords extends Shape {
  readonly type?: Type | readonly Type[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Shape;
  readonly additionalProperties?: Shape | false;
}

/** What JSON Schema cannot say. */
interface More {
  /** Its definition in the published schema. */
  readonly name?: string;
  /** As a part of an object it may be missing. */
  readonly isOptional?: true;
  /** As a part of an object: what stands in for one that is missing or cannot be read. */
  readonly fallback?: unknown;
  /** Whether the published schema asks for it, unless it is optional. */
  readonly isRequired?: boolean;
  /** Checks it in place of the keywords. */
  readonly check?: (value: unknown, path: Path, faults: Faults) => void;
  /** Reads it in place of the keywords. */
  readonly read?: (value: unknown) => unknown;
  /** Makes one of a sentence, where a plain one will do. */
  readonly fromText?: (text: string) => unknown;
}

export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never;

/** A symbol, because JSON leaves it out. */
const MORE = Symbol("more");

export const moreOf = (shape: Shape): More => (shape as { readonly [MORE]?: More })[MORE] ?? {};

/** The same shape, of which more is known. */
export function withMore<Of extends Shape>(shape: Of, more: More): Of {
  return Object.assign({}, shape, { [MORE]: { ...moreOf(shape), ...more } });
}

export const text: Shape<string> = { type: "string" };
export const nullableText: Shape<string | null> = { type: ["string", "null"] };
export const flag: Shape<boolean> = { type: "boolean" };
export const number: Shape<number> = { type: "number" };
export const integer: Shape<number> = { type: "integer" };
export const count: Shape<number> = { type: "integer", minimum: 0 };
/** Whatever JSON can say. */
export const anything: Shape<Json> = {};

export const list = <Value>(items: Shape<Value>): Shape<Value[]> => ({ type: "array", items });
export const texts = list(text);
export const map = <Value>(values: Shape<Value>): Shape<Record<string, Value>> => ({
  type: "object",
  additionalProperties: values,
});
export const enumOf = <const Word>(...words: readonly Word[]): Shape<Word> => ({ enum: words });
export const oneOf = <const Word>(...words: readonly Word[]): Shape<Word> => ({
  type: "string",
  enum: words,
});
export const nullable = <Value>(shape: Shape<Value>): Shape<Value | null> =>
  Object.keys(shape).join() === "type"
    ? { type: [shape["type"], "null"] }
    : { anyOf: [shape, { type: "null" }] };

/** A whole number that every language reads exactly. */
export const whole = (minimum: number = Number.MIN_SAFE_INTEGER): Shape<number> => ({
  type: "integer",
  minimum,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const described = <Value>(description: string, shape: Shape<Value>): Shape<Value> => ({
  ...shape,
  description,
});

export type Parts = Readonly<Record<string, Shape>>;
type OptionalPart = { readonly "~optional": true };
type ObjectOf<Of extends Parts> = Flat<
  { [Name in keyof Of as Of[Name] extends OptionalPart ? never : Name]: ValueOf<Of[Name]> } & {
    [Name in keyof Of as Of[Name] extends OptionalPart ? Name : never]?: ValueOf<Of[Name]>;
  }
>;
type Flat<Value> = { [Name in keyof Value]: Value[Name] };

export const optional = <Of extends Shape>(shape: Of) =>
  withMore(shape, { isOptional: true }) as Of & OptionalPart;

export const orElse = <Value>(
  shape: Shape<Value>,
  fallback: NoInfer<Value>,
  isRequired = true,
): Shape<Value> => withMore(shape, { fallback, isRequired });

/** An object with these parts. It may get more in later versions. */
export function fields<Of extends Parts>(properties: Of): Shape<ObjectOf<Of>> {
  const required = Object.keys(properties).filter((name) => {
    const { isOptional, isRequired = !isOptional } = moreOf(properties[name]!);
    return isRequired;
  });
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

/** The same, which says itself that it may have more. Those named after the parts may be missing. */
export function open(properties: Parts, absent: readonly string[] = []): Shape {
  const required = Object.keys(properties).filter((name) => !absent.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: {},
  };
}

type ClosedOf<Of extends Parts, Required extends keyof Of> = {
  readonly [Name in Required]: ValueOf<Of[Name]>;
} & { readonly [Name in Exclude<keyof Of, Required>]?: ValueOf<Of[Name]> };

/** An object with these parts and no others: another is a mistake, usually a typo. */
export function closed<Of extends Parts, Required extends keyof Of & string = never>(
  properties: Of,
  required: readonly Required[] = [],
): Shape<ClosedOf<Of, Required>> {
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    properties,
  };
}
