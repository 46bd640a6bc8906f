import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../scripts/schemas/work-state-schema.ts";

/** Compiling a schema takes much longer than checking a value. */
const compiled = new Map<JsonSchema | false, ValidateFunction>();

/** What is wrong with a value, by a schema. A keyword that JSON Schema does not have is an error. */
export function violations(value: unknown, schema: JsonSchema | false): string[] {
  const validate = compiled.get(schema) ?? compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function compile(schema: JsonSchema | false): ValidateFunction {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  ajv.addFormat("date-time", { validate: (text: string) => !Number.isNaN(Date.parse(text)) });
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}
