import { SCHEMA_VERSION } from "../../src/core/trails/document.ts";
import { RESERVED_FIELDS } from "../../src/core/trails/transfer/flat-document.ts";
import { WORK_STATE_DEFINITIONS, WORK_STATE_PROPERTIES, type JsonSchema } from "./work-state-schema.ts";

const text = { type: "string" };
const nullableText = { type: ["string", "null"] };
const hash = { pattern: "^[0-9a-f]{64}$" };
const checkpointId = { pattern: "^ckpt-[0-9]{8}-[0-9]{6}-[0-9a-f]{8,64}$" };

/**
 * What `checkpoint load --json` and `checkpoint export` print for a work state: who, when and why, and the state flat
 * beside it, or, when the state has a field of one of those names, whole under `state`.
 */
export const CHECKPOINT_SCHEMA: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `urn:cairn:checkpoint:${SCHEMA_VERSION}`,
  title: "A checkpoint of agent work",
  type: "object",
  properties: {
    checkpoint_id: { ...text, ...checkpointId },
    created_at: { ...text, format: "date-time" },
    trail: { ...text, minLength: 1, maxLength: 200 },
    session_id: nullableText,
    parent_checkpoint_id: { ...nullableText, ...checkpointId },
    parent_hash: { ...nullableText, ...hash },
    restored_from: { ...nullableText, ...checkpointId },
    merged_from: { ...text, ...hash },
    trigger: text,
    notes: nullableText,
    agent_id: nullableText,
    agent_tier: { type: ["integer", "null"] },
    content_hash: { ...text, ...hash },
    estimated_tokens: { type: "integer", minimum: 0 },
    schema_version: { const: SCHEMA_VERSION },
    state: { type: "object" },
    ...WORK_STATE_PROPERTIES,
  },
  required: ["checkpoint_id", "created_at", "trail", "trigger", "content_hash", "schema_version"],
  dependentSchemas: { state: { propertyNames: { enum: [...RESERVED_FIELDS] } } },
  $defs: WORK_STATE_DEFINITIONS,
};
