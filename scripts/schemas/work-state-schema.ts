import { FIELDS } from "../../src/work/state/fields.ts";
import type { JsonSchema } from "../../src/work/state/shape.ts";

export type { JsonSchema };

const SHAPES = Object.entries(FIELDS).map(([name, { shape }]) => [name, shape] as const);

/** The parts of a work state. */
export const WORK_STATE_DEFINITIONS: JsonSchema = Object.assign(
  {},
  ...SHAPES.map(([, { definitions }]) => definitions),
);

/** The fields of a work state; none has to be there, and others may be. */
export const WORK_STATE_PROPERTIES: JsonSchema = Object.fromEntries(
  SHAPES.map(([name, { schema }]) => [name, schema]),
);
