import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema } from "../../../scripts/schemas/work-state-schema.ts";

/** What is wrong with a value, by a schema. A keyword that JSON Schema does not have is an error. */
export function violations(value: unknown, schema: JsonSchema | false): string[] {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
  ajv.addFormat("date-time", { validate: (text: string) => !Number.isNaN(Date.parse(text)) });
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
