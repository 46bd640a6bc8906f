import { CheckpointError } from "../../errors.ts";
import { setOwn, type Json, type JsonObject } from "../../objects/json.ts";
import { isRecord } from "../../text/untrusted.ts";
import { SCHEMA_VERSION, type Checkpoint, type CheckpointInfo } from "../document.ts";
import { newerVersion } from "../trail-errors.ts";

/** The fields that say who, when and why, in the order in which they are printed around the state. */
const BEFORE_STATE = [
  "checkpoint_id",
  "created_at",
  "trail",
  "session_id",
  "parent_checkpoint_id",
  "parent_hash",
  "restored_from",
  "merged_from",
  "trigger",
  "notes",
  "agent_id",
  "agent_tier",
] as const satisfies readonly (keyof CheckpointInfo)[];
const AFTER_STATE = ["content_hash", "estimated_tokens", "schema_version"] as const;

/** What a command that prints the document adds to it: `checkpoint load --json`. */
const AROUND_DOCUMENT: readonly string[] = ["schema", "messages"];

/** Fields of the state that such a command prints as null where the state has none. */
export const NULL_WHERE_ABSENT: readonly string[] = ["phase", "active_task_id"];

/** Fields of a document that cannot be fields of a state that is printed flat. */
export const RESERVED_FIELDS: ReadonlySet<string> = new Set([
  ...AROUND_DOCUMENT,
  ...BEFORE_STATE,
  ...AFTER_STATE,
  "state",
]);

const INTEGERS: ReadonlySet<string> = new Set(["agent_tier", "schema_version"]);

/** What a document says besides its state. Nothing of it is proven: see `proveDocument`. */
export type DocumentInfo = { readonly [Field in keyof CheckpointInfo]: CheckpointInfo[Field] | null };

export interface ParsedDocument {
  readonly info: DocumentInfo;
  readonly state: JsonObject;
}

/**
 * A checkpoint as one JSON object: who, when and why, and the fields of the state beside them. A state that has a
 * field of the same name as one of those stands whole under `state` instead, so nothing is lost or mistaken.
 *
 * @example
 * console.log(JSON.stringify(flatten(await trail.load()), null, 2));
 */
export function flatten<State extends object>(
  { state, ...info }: Checkpoint<State>,
  { estimated_tokens }: { readonly estimated_tokens?: number } = {},
): JsonObject {
  const document: JsonObject = {};
  for (const field of BEFORE_STATE) if (info[field] !== undefined) document[field] = info[field];
  const fields = Object.keys(state);
  if (fields.some((field) => RESERVED_FIELDS.has(field))) document.state = state as JsonObject;
  else for (const field of fields) setOwn(document, field, (state as JsonObject)[field] as Json);
  document.content_hash = info.content_hash;
  if (estimated_tokens !== undefined) document.estimated_tokens = estimated_tokens;
  document.schema_version = info.schema_version;
  return document;
}

/** Takes a document apart again: `unflatten(flatten(checkpoint)).state` is the state, key for key. */
export function unflatten(document: JsonObject, source = "the document"): ParsedDocument {
  const claimed: Record<string, Json> = {};
  for (const field of [...BEFORE_STATE, "content_hash", "schema_version"]) {
    if (field === "merged_from" && !Object.hasOwn(document, field)) continue;
    claimed[field] = checkField(field, Object.hasOwn(document, field) ? document[field] : null, source);
  }
  const version = claimed.schema_version as number | null;
  if (version !== null && version > SCHEMA_VERSION)
    throw newerVersion(`"${source}"`, `schema ${version}`, { source, version, known: SCHEMA_VERSION });
  return { info: claimed as unknown as DocumentInfo, state: stateOf(document, source) };
}

function stateOf(document: JsonObject, source: string): JsonObject {
  // Other programs may have a field `messages` of their own, which must not get lost.
  const isPrinted = typeof document.schema === "string" && document.schema.startsWith("cairn/");
  const flat = Object.keys(document).filter(
    (field) => !RESERVED_FIELDS.has(field) || (!isPrinted && AROUND_DOCUMENT.includes(field)),
  );
  if (Object.hasOwn(document, "state")) {
    const { state } = document;
    if (!isRecord(state)) throw wrongField("state", "an object", source);
    if (flat.length > 0) throw twoStates(flat[0] as string, source);
    return state;
  }
  const state: JsonObject = {};
  for (const field of flat) {
    const isAbsent = isPrinted && document[field] === null && NULL_WHERE_ABSENT.includes(field);
    if (!isAbsent) setOwn(state, field, document[field] as Json);
  }
  return state;
}

function checkField(field: string, value: Json | undefined, source: string): Json {
  if (value === null || value === undefined) return null;
  if (INTEGERS.has(field)) {
    if (!Number.isSafeInteger(value)) throw wrongField(field, "a whole number", source);
  } else if (typeof value !== "string") throw wrongField(field, "a string", source);
  return value;
}

function wrongField(field: string, wanted: string, source: string): CheckpointError {
  return new CheckpointError("usage", `The field "${field}" of "${source}" is not ${wanted}.`, {
    hint: `Make it ${wanted}, or leave the field out.`,
    details: { source, field },
  });
}

function twoStates(field: string, source: string): CheckpointError {
  return new CheckpointError("usage", `"${source}" has a field "state" and also "${field}" beside it.`, {
    hint: 'Put everything that belongs to the state under "state", or rename that field.',
    details: { source, field },
  });
}
