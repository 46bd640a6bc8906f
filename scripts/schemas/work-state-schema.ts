import type { JsonSchema } from "../../src/core/objects/json.ts";
import { moreOf, type Shape } from "../../src/work/shape/shape.ts";
import { FIELDS } from "../../src/work/state/fields.ts";

export type { JsonSchema };

/** The parts of a work state that have a name. */
export const WORK_STATE_DEFINITIONS: Record<string, JsonSchema> = {};

/** The fields of a work state; none has to be there, and others may be. */
export const WORK_STATE_PROPERTIES = Object.fromEntries(
  Object.entries(FIELDS).map(([name, { shape }]) => [name, referred(shape)]),
) as Readonly<Record<string, JsonSchema>>;

/** With a reference in the place of each part that has a name. */
function referred(shape: unknown): unknown {
  if (typeof shape !== "object" || shape === null) return shape;
  if (Array.isArray(shape)) return shape.map(referred);
  const schema = Object.fromEntries(Object.entries(shape).map(([key, part]) => [key, referred(part)]));
  const name = moreOf(shape as Shape).name;
  if (name === undefined) return schema;
  WORK_STATE_DEFINITIONS[name] = schema;
  return { $ref: `#/$defs/${name}` };
}
