import { moreOf, type Shape } from "../../shape/shape.ts";
import { read } from "../../shape/read.ts";
import { setOwn, type Json, type JsonObject } from "../../../core/objects/json.ts";
import { fieldOf } from "../../state/fields.ts";
import { emptyWorkState, type WorkState } from "../../state/work-state.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { ForeignFields, wrong } from "../foreign-fields.ts";
import {
  NULL_WHERE_ABSENT,
  unflatten,
  type DocumentInfo,
} from "../../../core/trails/transfer/flat-document.ts";
import { stamp, type ImportOrigin } from "../origin.ts";
import { proveDocument } from "../../../core/trails/transfer/prove-document.ts";
import { readTasks } from "./execution-file.ts";

export interface ReadDocument {
  readonly info: DocumentInfo;
  readonly state: JsonObject;
  /** Whether its hash proves that it is what one of our stores wrote. */
  readonly proven: boolean;
}

/**
 * A checkpoint as one JSON object: one of ours, whose state is taken exactly as it is, or one of another program
 * with the same fields, whose state is brought into the form of a work state.
 */
export function readCheckpointDocument(json: JsonObject, origin: ImportOrigin): ReadDocument {
  const document = unflatten(json, origin.source);
  const proven = proveDocument(document, origin.source);
  const isOurs = proven || document.info.schema_version !== null;
  return { ...document, proven, state: isOurs ? document.state : toWorkState(document.state, json, origin) };
}

function toWorkState(state: JsonObject, json: JsonObject, origin: ImportOrigin): JsonObject {
  const work: WorkState = emptyWorkState();
  const result = work as unknown as JsonObject;
  for (const [field, value] of Object.entries(state)) {
    if (value === null && (Object.hasOwn(work, field) || NULL_WHERE_ABSENT.includes(field))) continue;
    setOwn(result, field, toField(field, value, origin));
  }
  if (Object.hasOwn(state, "tasks")) work.tasks = readTasks(new ForeignFields(state, origin.source), origin);
  // What the file says of itself is kept as data. A tier is never taken over: nobody here has claimed it.
  const about = ["checkpoint_id", "created_at", "agent_id", "agent_tier", "session_id"];
  const claims = Object.fromEntries(about.map((field) => [field, json[field] ?? null]));
  result.imported = { [origin.source]: claims };
  return result;
}

function toField(field: string, value: Json, origin: ImportOrigin): Json {
  const { shape, empty } = fieldOf(field) ?? {};
  if (empty !== undefined && (shape === undefined || read(shape, value) === undefined))
    throw wrong(origin.source, [field], Array.isArray(empty()) ? "a list" : "an object", value);
  const entryFrom = moreOf((shape?.["items"] ?? {}) as Shape).fromText;
  if (entryFrom === undefined || !Array.isArray(value)) return value;
  return value.map((item, index) => {
    const entry = typeof item === "string" ? entryFrom(item) : item;
    if (isRecord(entry)) return stamp(entry, origin);
    throw wrong(origin.source, [field, index], "a text or an object", item);
  }) as Json[];
}
