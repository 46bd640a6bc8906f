import * as z from "zod";
import { MAX_TEXT } from "./sentence.ts";

/** What the schemas of several verbs share. Results may get more fields in later versions. */

/** What a verb takes, as its schema has it. */
export type InputOf<Verb extends { readonly input: z.ZodType }> = ReadonlyFields<z.input<Verb["input"]>>;
type ReadonlyFields<Input> = { readonly [Name in keyof Input]: Readonly<Input[Name]> };

/** What a verb gives, as its schema has it. */
export type ResultOf<Verb extends { readonly result: z.ZodType }> = Declared<z.output<Verb["result"]>>;
type Declared<Value> = Value extends readonly (infer Item)[]
  ? readonly Declared<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value as string extends Name ? never : Name]: Declared<Value[Name]> }
    : Value;

export const sentence = z.string().trim().min(1).max(MAX_TEXT);

/** What says nothing counts as none. */
export const notes = z.string().max(MAX_TEXT).optional();

export const trail = z
  .string()
  .max(200)
  .optional()
  .describe("A trail's name. Leave it out: the session's own trail is meant then.");

export const checkpointId = z
  .string()
  .min(1)
  .max(200)
  .describe("A checkpoint's id or its beginning; @ for the newest, @~2 for two before it; or a tag.");

export const count = z.int().min(0);

/** Who, when and why: what a checkpoint says besides its state. */
export const checkpointInfo = z.looseObject({
  checkpoint_id: z.string(),
  content_hash: z.string(),
  created_at: z.string(),
  trail: z.string(),
  parent_checkpoint_id: z.string().nullable(),
  parent_hash: z.string().nullable(),
  trigger: z.string(),
  notes: z.string().nullable(),
  session_id: z.string().nullable(),
  agent_id: z.string().nullable(),
  agent_tier: z.int().nullable(),
  restored_from: z.string().nullable(),
  schema_version: z.int(),
});

/** Null when there was nothing to change. */
export const committed = checkpointInfo.nullable();

export const remark = z.looseObject({ text: z.string(), at: z.string(), by: z.string() });

export const phase = z.looseObject({
  name: z.string(),
  number: z.number().nullable(),
  status: z.enum(["pending", "in_progress", "blocked", "completed", "failed"]),
  started_at: z.string().nullable(),
  notes: z.string().nullable(),
});

export const taskStatus = z.enum(["pending", "in_progress", "blocked", "completed", "cancelled"]);

/** States may have been imported, so that the parts of a task are only likely to be what they should be. */
export const task = z.looseObject({ id: z.string(), subject: z.unknown(), status: z.string() });
