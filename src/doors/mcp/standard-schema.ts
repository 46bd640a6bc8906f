import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { faultsOf } from "../../work/verbs/input-faults.ts";
import type { JsonSchema } from "../../work/verbs/json-schema.ts";

/**
 * A JSON Schema in the form that the SDK takes. A tolerant one only describes: what is sent is checked by the one who takes it,
 * so that a refusal has our own form of errors.
 */
export function standardSchema<Value = unknown>(
  schema: JsonSchema,
  { isTolerant = false } = {},
): StandardSchemaWithJSON<Value, Value> {
  return {
    "~standard": {
      version: 1,
      vendor: "cairn",
      jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
      validate: (value) => {
        const faults = isTolerant ? [] : faultsOf(value, schema);
        if (faults.length === 0) return { value: value as Value };
        return { issues: faults.map((message) => ({ message })) };
      },
    },
  };
}
