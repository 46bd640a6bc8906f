import type { Path } from "../../core/objects/json.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { type Keywords, moreOf, type Shape } from "./shape.ts";

/** Takes what a check finds. Someone who writes a file is told in other words than a program that calls a verb. */
export interface Faults {
  /** It is not `what`, for instance "a text". */
  wrong(path: Path, value: unknown, what: string, remedy: string): void;
  missing(path: Path, key: string): void;
  unknown(path: Path, key: string, known: readonly string[]): void;
  add(path: Path, message: string, remedy: string): void;
}

const KINDS = {
  string: ["a text", "Write it like this: some words", (value: unknown) => typeof value === "string"],
  boolean: ["true or false", "Write it like this: true", (value: unknown) => typeof value === "boolean"],
  number: ["a number", "Write it like this: 1.5", (value: unknown) => Number.isFinite(value)],
  integer: ["a whole number", "Write it like this: 1", (value: unknown) => Number.isSafeInteger(value)],
  null: ["empty", "Write it like this: null", (value: unknown) => value === null],
  array: ["a list", "Write it in brackets: [one, two]", (value: unknown) => Array.isArray(value)],
  object: ["a map", "Write names and values: { KEY: value }", isRecord],
} as const;

/** Reports everything that is wrong with a value. */
export function check(value: unknown, shape: Shape, faults: Faults, path: Path = []): void {
  const own = moreOf(shape).check;
  if (own !== undefined) return own(value, path, faults);
  const keywords: Keywords = shape;
  const { enum: words, anyOf, oneOf = anyOf } = keywords;
  const choice = oneOf?.find((each) => isOfKind(value, each));
  if (choice !== undefined) return check(value, choice, faults, path);
  if (words !== undefined && !words.includes(value))
    return faults.wrong(path, value, `one of ${words.join(", ")}`, `Write it like this: ${String(words[0])}`);
  if (oneOf !== undefined || !isOfKind(value, shape))
    return faults.wrong(
      path,
      value,
      (oneOf ?? [shape]).map(kindOf).join(" or "),
      remedyOf(oneOf?.at(-1) ?? shape),
    );
  if (typeof value === "string") checkText(value, keywords, faults, path);
  if (typeof value === "number") checkRange(value, keywords, faults, path);
  if (Array.isArray(value)) checkList(value, keywords, faults, path);
  if (isRecord(value)) checkObject(value, keywords, faults, path);
}

const kindsOf = ({ type = [] }: Keywords) => [type].flat().map((each) => KINDS[each]);
const kindOf = (shape: Shape): string =>
  kindsOf(shape)
    .map(([what]) => what)
    .join(" or ");

function isOfKind(value: unknown, shape: Shape): boolean {
  const kinds = kindsOf(shape);
  return kinds.length === 0 || kinds.some(([, , isThat]) => isThat(value));
}

function remedyOf(shape: Keywords): string {
  const { properties } = shape;
  if (properties !== undefined) return `Write it with these fields: ${Object.keys(properties).join(", ")}`;
  return kindsOf(shape)[0]?.[1] ?? "";
}

function checkText(text: string, keywords: Keywords, faults: Faults, path: Path): void {
  const { minLength = 0, maxLength = Infinity } = keywords;
  if (minLength > 0 && text.trim() === "") faults.wrong(path, text, KINDS.string[0], KINDS.string[1]);
  if (text.length > maxLength)
    faults.add(path, `${text.length} characters, where ${maxLength} are the most`, "Shorten it");
}

function checkRange(value: number, keywords: Keywords, faults: Faults, path: Path): void {
  const { minimum = -Infinity, maximum = Infinity } = keywords;
  if (value < minimum) faults.add(path, `${value} is less than ${minimum}`, `Write it like this: ${minimum}`);
  if (value > maximum) faults.add(path, `${value} is more than ${maximum}`, `Write it like this: ${maximum}`);
}

function checkList(list: readonly unknown[], keywords: Keywords, faults: Faults, path: Path): void {
  const { minItems = 0, maxItems = Infinity, items = {} } = keywords;
  if (list.length < minItems)
    faults.add(path, `${list.length} items, where ${minItems} are the fewest`, "Add some");
  else if (list.length > maxItems)
    faults.add(path, `${list.length} items, where ${maxItems} are the most`, "Remove some");
  else for (const [index, item] of list.entries()) check(item, items, faults, [...path, index]);
}

function checkObject(value: object, keywords: Keywords, faults: Faults, path: Path): void {
  const { properties = {}, required = [], propertyNames = {}, additionalProperties = {} } = keywords;
  for (const key of required) if (Reflect.get(value, key) === undefined) faults.missing(path, key);
  for (const [key, item] of Object.entries(value)) {
    const shape = Object.hasOwn(properties, key) ? properties[key]! : additionalProperties;
    if (shape === false) faults.unknown(path, key, Object.keys(properties));
    else if (item !== undefined) {
      check(key, propertyNames, faults, [...path, key]);
      check(item, shape, faults, [...path, key]);
    }
  }
}
