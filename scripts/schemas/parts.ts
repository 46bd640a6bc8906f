import * as z from "zod";
import { CHECKPOINT_SCHEMA } from "./checkpoint-schema.ts";
import { WORK_STATE_DEFINITIONS, type JsonSchema } from "./work-state-schema.ts";

/** Pieces that several documents are made of. References lead into `DEFINITIONS`, which every document carries. */
export const text: JsonSchema = { type: "string" };
export const nullableText: JsonSchema = { type: ["string", "null"] };
export const count: JsonSchema = { type: "integer", minimum: 0 };
export const flag: JsonSchema = { type: "boolean" };
export const anything: JsonSchema = {};
export const texts: JsonSchema = { type: "array", items: text };

export const list = (items: JsonSchema): JsonSchema => ({ type: "array", items });
export const map = (values: JsonSchema): JsonSchema => ({ type: "object", additionalProperties: values });
const either = (...schemas: readonly JsonSchema[]): JsonSchema => ({ anyOf: schemas });
export const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
export const nullable = (schema: JsonSchema): JsonSchema => either(schema, { type: "null" });
export const enumOf = (...words: readonly string[]): JsonSchema => ({ enum: words });

/** The schema of a verb's result, which stands beside the verb. */
export function ofVerb({ result }: { readonly result: z.ZodType }): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(result);
  return schema;
}

/** An object that always has these fields. It may get more in later versions. */
export function fields(properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties) };
}

const checkpointProperties = CHECKPOINT_SCHEMA["properties"] as Readonly<Record<string, JsonSchema>>;

/** Who, when and why, without the state. */
const INFO_FIELDS = [
  "checkpoint_id",
  "content_hash",
  "created_at",
  "trail",
  "parent_checkpoint_id",
  "parent_hash",
  "trigger",
  "notes",
  "session_id",
  "agent_id",
  "agent_tier",
  "restored_from",
  "schema_version",
] as const;

const info = fields(
  Object.fromEntries(INFO_FIELDS.map((name) => [name, checkpointProperties[name] ?? anything])),
);
export const DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  ...(WORK_STATE_DEFINITIONS as Readonly<Record<string, JsonSchema>>),
  checkpoint_info: info,
};
