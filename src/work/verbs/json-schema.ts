import type { JsonSchema } from "../../core/objects/json.ts";

export type { JsonSchema };

export const text: JsonSchema = { type: "string" };
export const nullableText: JsonSchema = { type: ["string", "null"] };
export const count: JsonSchema = { type: "integer", minimum: 0 };
export const flag: JsonSchema = { type: "boolean" };
export const anything: JsonSchema = {};
export const texts: JsonSchema = { type: "array", items: text };

export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
export const map = (values: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: values });
export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: "null" }] });
export const enumOf = (...words: readonly string[]): JsonSchema => ({ enum: words });
/** A piece that several documents share: see scripts/schemas/parts.ts. */
export const ref = (name: "checkpoint" | "checkpoint_info"): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** An object that always has these fields. It may get more in later versions. */
export function fields(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

/** The same, which says itself that it may have more. Those named after the fields may be missing. */
export function open(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: {},
  };
}

/** A whole number that every language reads exactly. */
export const whole = (minimum: number = Number.MIN_SAFE_INTEGER): JsonSchema => ({
  type: "integer",
  minimum,
  maximum: Number.MAX_SAFE_INTEGER,
});

export const oneOf = (...words: readonly string[]): JsonSchema => ({ type: "string", enum: words });

export const described = (description: string, schema: JsonSchema): JsonSchema => ({
  ...schema,
  description,
});

/** Who, when and why: what a checkpoint says besides its state. */
export const INFO = {
  checkpoint_id: text,
  content_hash: text,
  created_at: text,
  trail: text,
  parent_checkpoint_id: nullableText,
  parent_hash: nullableText,
  trigger: text,
  notes: nullableText,
  session_id: nullableText,
  agent_id: nullableText,
  agent_tier: nullable(whole()),
  restored_from: nullableText,
  schema_version: whole(),
};

/** Null when there was nothing to change. */
export const COMMITTED = nullable(open(INFO));
