import { isObjectId, type ObjectId } from "../objects/object-id.ts";
import type { CheckpointId } from "./checkpoint-id.ts";

/** What a checkpoint says itself; its id follows from it. */
export interface InfoFields {
  readonly created_at: string;
  readonly trail: string;
  readonly parent_checkpoint_id: CheckpointId | null;
  readonly parent_hash: ObjectId | null;
  readonly trigger: string;
  readonly notes: string | null;
  readonly session_id: string | null;
  readonly agent_id: string | null;
  readonly agent_tier: number | null;
  /** The checkpoint whose state this one brought back, for `restore`, `undo` and `fork`. */
  readonly restored_from: CheckpointId | null;
  readonly schema_version: number;
}

type FieldRule = (value: unknown) => boolean;

const isText: FieldRule = (value) => typeof value === "string";
const orNull =
  (rule: FieldRule): FieldRule =>
  (value) =>
    value === null || rule(value);

/** As `Date.toISOString` writes it; other spellings would give ids that cannot be looked up. */
const ISO_DATE = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/;

/**
 * What each field must be, in the order of the format, for what is written here and what comes from elsewhere alike:
 * so whatever is exported can be imported. The name of the trail has its own rules: see `parseTrailName`.
 */
const RULES: Readonly<Record<keyof InfoFields, readonly [wanted: string, rule: FieldRule]>> = {
  created_at: [
    "a date in ISO form",
    (value) => typeof value === "string" && ISO_DATE.test(value) && Number.isSafeInteger(Date.parse(value)),
  ],
  trail: ["a text", () => true],
  parent_checkpoint_id: ["a text", orNull(isText)],
  parent_hash: ["the hash of a checkpoint", orNull((value) => isText(value) && isObjectId(value))],
  trigger: ["a text that is not empty", (value) => isText(value) && value !== ""],
  notes: ["a text", orNull(isText)],
  session_id: ["a text", orNull(isText)],
  agent_id: ["a text", orNull(isText)],
  agent_tier: ["a whole number", orNull(Number.isSafeInteger)],
  restored_from: ["a text", orNull(isText)],
  schema_version: ["a whole number", Number.isSafeInteger],
};

export const INFO_FIELDS = Object.keys(RULES) as (keyof InfoFields)[];

/** The first field that is not what a checkpoint has there, and what it should be. */
export function findWrongField(info: InfoFields): { field: string; wanted: string } | undefined {
  const field = INFO_FIELDS.find((name) => !RULES[name][1](info[name]));
  return field && { field, wanted: RULES[field][0] };
}
