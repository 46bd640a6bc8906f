import { EXIT_STATUS } from "../../src/core/errors.ts";
import { NULL_WHERE_ABSENT } from "../../src/core/trails/transfer/flat-document.ts";
import {
  INFO,
  anything,
  enumOf,
  fields,
  map,
  nullable,
  nullableText,
  text,
} from "../../src/work/verbs/json-schema.ts";
import { CHECKPOINT_SCHEMA } from "./checkpoint-schema.ts";
import { WORK_STATE_DEFINITIONS, WORK_STATE_PROPERTIES, type JsonSchema } from "./work-state-schema.ts";

const checkpointProperties = CHECKPOINT_SCHEMA["properties"] as Readonly<Record<string, JsonSchema>>;

/** What the commands that print a whole checkpoint print: who, when and why, and the state beside it. */
export const CHECKPOINT_DOCUMENT: JsonSchema = {
  type: "object",
  properties: {
    ...checkpointProperties,
    ...Object.fromEntries(
      NULL_WHERE_ABSENT.map((field) => [field, nullable(WORK_STATE_PROPERTIES[field] as JsonSchema)]),
    ),
  },
  required: CHECKPOINT_SCHEMA["required"],
};

/** Pieces that several documents are made of: a document carries those that it refers to. */
export const DEFINITIONS: Readonly<Record<string, JsonSchema>> = {
  ...(WORK_STATE_DEFINITIONS as Readonly<Record<string, JsonSchema>>),
  // Who, when and why, without the state.
  checkpoint_info: fields(
    Object.fromEntries(Object.keys(INFO).map((name) => [name, checkpointProperties[name] ?? anything])),
  ),
};

/** What goes wrong, on stderr. */
export const ERROR_DOCUMENT: JsonSchema = fields({
  error: fields({
    code: enumOf(...Object.keys(EXIT_STATUS)),
    exit_status: { type: "integer" },
    message: text,
    hint: nullableText,
    suggestion: nullableText,
    details: map(anything),
  }),
});
