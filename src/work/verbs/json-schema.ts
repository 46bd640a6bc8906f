import type { JsonSchema } from "../../core/objects/json.ts";
import { nullable, nullableText, open, text, whole } from "../shape/shape.ts";

/** The words that results of verbs are described in, and what several of them share. */
export * from "../shape/shape.ts";
export type { JsonSchema };

/** A piece that several documents share: see scripts/schemas/parts.ts. */
export const ref = (name: "checkpoint" | "checkpoint_info"): JsonSchema => ({ $ref: `#/$defs/${name}` });

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
