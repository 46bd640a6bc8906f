import type { JsonSchema } from "../../../src/checkpoints/schema/work-state-schema.ts";

/** What a value does wrong, by the part of JSON Schema that our schemas use. Anything else in one is a mistake. */
export function violations(
  value: unknown,
  schema: JsonSchema | boolean,
  root: JsonSchema,
  path = "$",
): string[] {
  if (typeof schema === "boolean") return schema ? [] : [`${path}: nothing is allowed here`];
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    const check = KEYWORDS[keyword];
    if (check === undefined) throw new Error(`${path}: the keyword "${keyword}" is not known to the test.`);
    return check(value, rule, { root, path, schema });
  });
}

interface Place {
  readonly root: JsonSchema;
  readonly path: string;
  readonly schema: JsonSchema;
}

type Check = (value: unknown, rule: unknown, place: Place) => string[];

const fine: Check = () => [];
const unless = (isRight: boolean, message: string) => (isRight ? [] : [message]);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function typeOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return Number.isInteger(value) ? "integer" : typeof value;
}

const KEYWORDS: Record<string, Check> = {
  $schema: fine,
  $id: fine,
  $defs: fine,
  title: fine,
  description: fine,
  format: fine,
  type: (value, rule, { path }) => {
    const types = [rule].flat() as string[];
    const found = typeOf(value);
    const isRight = types.includes(found) || (found === "integer" && types.includes("number"));
    return unless(isRight, `${path} is ${found}, not ${types.join(" or ")}`);
  },
  const: (value, rule, { path }) => unless(value === rule, `${path} is not ${JSON.stringify(rule)}`),
  enum: (value, rule, { path }) =>
    unless((rule as unknown[]).includes(value), `${path} is ${JSON.stringify(value)}`),
  pattern: (value, rule, { path }) =>
    unless(typeof value !== "string" || new RegExp(rule as string).test(value), `${path} does not match`),
  minLength: (value, rule, { path }) =>
    unless(typeof value !== "string" || value.length >= (rule as number), `${path} is too short`),
  maxLength: (value, rule, { path }) =>
    unless(typeof value !== "string" || value.length <= (rule as number), `${path} is too long`),
  minimum: (value, rule, { path }) =>
    unless(typeof value !== "number" || value >= (rule as number), `${path} is too small`),
  required: (value, rule, { path }) =>
    isObject(value)
      ? (rule as string[])
          .filter((name) => !Object.hasOwn(value, name))
          .map((name) => `${path}.${name} is missing`)
      : [],
  properties: (value, rule, { root, path }) =>
    isObject(value)
      ? Object.entries(rule as Record<string, JsonSchema>).flatMap(([name, schema]) =>
          Object.hasOwn(value, name) ? violations(value[name], schema, root, `${path}.${name}`) : [],
        )
      : [],
  additionalProperties: (value, rule, { root, path, schema }) =>
    isObject(value)
      ? Object.entries(value)
          .filter(([name]) => !Object.hasOwn(schema["properties"] ?? {}, name))
          .flatMap(([name, item]) => violations(item, rule as JsonSchema, root, `${path}.${name}`))
      : [],
  items: (value, rule, { root, path }) =>
    Array.isArray(value)
      ? value.flatMap((item, index) => violations(item, rule as JsonSchema, root, `${path}[${index}]`))
      : [],
  anyOf: (value, rule, { root, path }) => {
    const results = (rule as JsonSchema[]).map((schema) => violations(value, schema, root, path));
    return results.some((result) => result.length === 0) ? [] : (results[0] ?? []);
  },
  allOf: (value, rule, { root, path }) =>
    (rule as JsonSchema[]).flatMap((schema) => violations(value, schema, root, path)),
  $ref: (value, rule, { root, path }) => {
    const name = String(rule).replace("#/$defs/", "");
    const schema = (root["$defs"] as Record<string, JsonSchema> | undefined)?.[name];
    if (schema === undefined) throw new Error(`${path}: there is no definition "${name}".`);
    return violations(value, schema, root, path);
  },
};
