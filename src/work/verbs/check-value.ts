import { isRecord } from "../../core/text/untrusted.ts";
import type { JsonSchema } from "./json-schema.ts";

/** The keywords that inputs are described with, as far as they are checked. */
interface Keywords {
  readonly type?: keyof typeof KINDS;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: JsonSchema;
  readonly additionalProperties?: JsonSchema | false;
  readonly anyOf?: readonly JsonSchema[];
}

const KINDS = {
  string: ["a text", (value: unknown) => typeof value === "string"],
  boolean: ["true or false", (value: unknown) => typeof value === "boolean"],
  number: ["a number", (value: unknown) => Number.isFinite(value)],
  integer: ["a whole number", (value: unknown) => Number.isSafeInteger(value)],
  array: ["a list", (value: unknown) => Array.isArray(value)],
  object: ["an object", (value: unknown) => isRecord(value)],
} as const;

/** What is wrong with a value, each with where it stands: `limit: 0 is less than 1`. Empty if it is as the schema says. */
export function faultsOf(value: unknown, schema: JsonSchema, place = ""): string[] {
  const keywords: Keywords = schema;
  const at = (what: string) => [`${place === "" ? "" : `${place}: `}${what}`];
  const { type, enum: words, anyOf } = keywords;
  if (anyOf?.every((each) => faultsOf(value, each).length > 0))
    return at(`${short(value)} is not ${anyOf.map(kindOf).join(" or ")}`);
  if (words !== undefined && !words.includes(value))
    return at(`${short(value)} is not one of ${words.join(", ")}`);
  if (type !== undefined && !KINDS[type][1](value)) return at(`${short(value)} is not ${kindOf(schema)}`);
  if (typeof value === "string") return boundFault(value, keywords).flatMap(at);
  if (typeof value === "number") return rangeFault(value, keywords).flatMap(at);
  if (Array.isArray(value)) return listFaults(value, keywords, place);
  return isRecord(value) ? objectFaults(value, keywords, place) : [];
}

const kindOf = ({ type }: Keywords): string => (type === undefined ? "that" : KINDS[type][0]);
const short = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);

function boundFault(text: string, { minLength = 0, maxLength = Infinity }: Keywords): string[] {
  if (minLength > 0 && text.trim() === "") return ["it is empty"];
  return text.length > maxLength ? [`${text.length} characters, where ${maxLength} are the most`] : [];
}

function rangeFault(value: number, { minimum = -Infinity, maximum = Infinity }: Keywords): string[] {
  if (value < minimum) return [`${value} is less than ${minimum}`];
  return value > maximum ? [`${value} is more than ${maximum}`] : [];
}

function listFaults(list: readonly unknown[], keywords: Keywords, place: string): string[] {
  const { minItems = 0, maxItems = Infinity, items = {} } = keywords;
  if (list.length < minItems) return [`${place}: ${list.length} items, where ${minItems} are the fewest`];
  if (list.length > maxItems) return [`${place}: ${list.length} items, where ${maxItems} are the most`];
  return list.flatMap((item, index) => faultsOf(item, items, `${place}.${index}`));
}

function objectFaults(value: Readonly<Record<string, unknown>>, keywords: Keywords, place: string): string[] {
  const { properties = {}, required = [], propertyNames = {}, additionalProperties = {} } = keywords;
  const inside = (name: string) => (place === "" ? name : `${place}.${name}`);
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const faults = missing.map((name) => `${inside(name)}: it is missing`);
  for (const [name, one] of Object.entries(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (known === false)
      faults.push(`${inside(name)}: unknown; known are ${Object.keys(properties).join(", ")}`);
    else faults.push(...faultsOf(name, propertyNames, place), ...faultsOf(one, known ?? {}, inside(name)));
  }
  return faults;
}
