import { isAbsolute } from "node:path";

import type { Path } from "../../core/objects/json.ts";
import { cut } from "../../core/text/cut.ts";
import { isRecord } from "../../core/text/untrusted.ts";
import { DURATION, timerMs } from "../../core/text/duration.ts";
import { didYouMean, type Problems } from "./problems.ts";

/** Checks one value, and reports what is wrong with it. */
type FieldCheck = (value: unknown, path: Path, problems: Problems) => void;

/** A kind of value: how it is checked, and its JSON Schema, by which editors check it while you type. */
export interface Field<Value = unknown> {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly check: FieldCheck;
  /** Never there: by this the compiler knows what a value is that was checked. */
  readonly value?: Value;
}

/** What a value is that a field finds nothing wrong with. */
export type ValueOf<F> = F extends Field<infer Value> ? Value : never;

/** A value that passes `fits`; the problem says otherwise what it should be, with an example. */
export function valueThat<Value>(
  what: string,
  fits: (value: unknown) => boolean,
  example: string,
  schema: Field["schema"],
): Field<Value> {
  return {
    schema,
    check: (value, path, problems) => {
      if (!fits(value))
        problems.add(path, `${shown(value)} is not ${what}.`, `Write it like this: ${example}`);
    },
  };
}

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "" && !value.includes("\0");
const isScalar = (value: unknown) =>
  isText(value) || typeof value === "number" || typeof value === "boolean" || value === "";

export const text = valueThat<string>("a text", isText, "some words", { type: "string", minLength: 1 });
export const flag = valueThat<boolean>("true or false", (value) => typeof value === "boolean", "true", {
  type: "boolean",
});
export const scalar = valueThat<string | number | boolean>(
  "a text, a number, true or false",
  isScalar,
  "some words",
  {
    type: ["string", "number", "boolean"],
  },
);
export const nothing = valueThat<null>("empty", (value) => value === null, "null", { type: "null" });
export const count = (minimum: number) =>
  valueThat<number>(
    `a whole number from ${minimum} up`,
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum,
    String(minimum + 1),
    { type: "integer", minimum },
  );
export const duration = valueThat<string>(
  "a length of time",
  (value) => timerMs(value) !== undefined,
  "500ms, 5s, 10m or 1h30m",
  { type: "string", pattern: DURATION.source, examples: ["500ms", "5s", "10m", "1h30m"] },
);

/** A line for the shell, or the words of a program. */
export type CommandLine = string | readonly string[];

const isCommandLine = (value: unknown) => isText(value) || isWords(value);
const COMMAND = [
  "./build.sh for the shell, or the words of a program: [make, build]",
  {
    description: "A line for the shell, or the words of a program, which no shell sees.",
    oneOf: [text.schema, { type: "array", minItems: 1, items: { type: "string" } }],
  },
] as const;

export const commandLine = valueThat<CommandLine>("a command", isCommandLine, ...COMMAND);
const isWords = (value: unknown) =>
  Array.isArray(value) &&
  value.every((word) => typeof word === "string" && !word.includes("\0")) &&
  isText(value[0]);

/** Files of the project, named from its root. */
export const output: Field<string> = {
  schema: text.schema,
  check: (value, path, problems) => {
    text.check(value, path, problems);
    if (typeof value !== "string") return;
    if (isAbsolute(value) || value.split(/[\\/]/).includes(".."))
      problems.add(
        path,
        `The output ${shown(value)} is outside of the project.`,
        "Name it from the project's root: reports/plan.json",
      );
  },
};

const NAME = /^[A-Za-z0-9_](?:[\w.-]*[\w-])?$/;
const MAX_NAME_CHARS = 80;

/** Whether a name is safe as a part of a trail's name and of a path. */
export const isName = (value: unknown): boolean =>
  typeof value === "string" && NAME.test(value) && value.length <= MAX_NAME_CHARS && !value.includes("..");

export const id = valueThat<string>("a name", isName, "letters, digits, - and _, as in build-api", {
  type: "string",
  pattern: NAME.source,
  maxLength: MAX_NAME_CHARS,
});

/** Names of variables: they become `INPUT_…` and environment variables. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export function list<Item>(of: Field<Item>): Field<readonly Item[]> {
  return {
    schema: { type: "array", items: of.schema },
    check: (value, path, problems) => {
      if (!Array.isArray(value))
        problems.add(path, `${shown(value)} is not a list.`, "Write it in brackets: [one, two]");
      else for (const [index, item] of value.entries()) of.check(item, [...path, index], problems);
    },
  };
}

export function map<Item>(of: Field<Item>): Field<Readonly<Record<string, Item>>> {
  return {
    schema: {
      type: "object",
      propertyNames: { pattern: VARIABLE.source },
      additionalProperties: of.schema,
    },
    check: (value, path, problems) => {
      if (!isRecord(value)) {
        problems.add(path, `${shown(value)} is not a map.`, "Write names and values: { KEY: value }");
        return;
      }
      for (const [key, item] of Object.entries(value)) {
        if (VARIABLE.test(key)) of.check(item, [...path, key], problems);
        else
          problems.add([...path, key], `"${key}" is not a name for a variable.`, "Use letters, digits and _");
      }
    },
  };
}

type Fields = Readonly<Record<string, Field>>;
type RecordOf<F extends Fields, Required extends keyof F> = {
  readonly [Key in Required]: ValueOf<F[Key]>;
} & { readonly [Key in Exclude<keyof F, Required>]?: ValueOf<F[Key]> };

/** A map with known keys. An unknown key is a mistake, usually a typo. */
export function record<F extends Fields, Required extends keyof F & string = never>(
  fields: F,
  required: readonly Required[] = [],
): Field<RecordOf<F, Required>> {
  const known = Object.keys(fields);
  return {
    schema: {
      type: "object",
      ...(required.length > 0 && { required }),
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, field.schema])),
    },
    check: (value, path, problems) => {
      if (!isRecord(value)) {
        const remedy = `Write it with these fields: ${known.join(", ")}`;
        problems.add(path, `${shown(value)} is not a map.`, remedy);
        return;
      }
      for (const key of required) {
        if (value[key] === undefined) problems.add(path, `"${key}" is missing.`, `Add it: ${key}: …`);
      }
      for (const [key, item] of Object.entries(value)) {
        if (!Object.hasOwn(fields, key)) {
          const remedy = didYouMean(key, known, `The fields are ${known.join(", ")}`);
          problems.add([...path, key], `There is no field "${key}" here.`, remedy);
        } else if (item !== undefined) fields[key]!.check(item, [...path, key], problems);
      }
    },
  };
}

export function either<A, B>(
  isFirst: (value: unknown) => boolean,
  first: Field<A>,
  second: Field<B>,
): Field<A | B> {
  return {
    schema: { oneOf: [first.schema, second.schema] },
    check: (value, path, problems) => (isFirst(value) ? first : second).check(value, path, problems),
  };
}

/** The same field with words for editors. */
export function described<Value>(field: Field<Value>, description: string): Field<Value> {
  return { ...field, schema: { ...field.schema, description } };
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "An empty value";
  const words = typeof value === "function" ? "A function" : JSON.stringify(value);
  return words.length > 60 ? cut(words, 57) : words;
}
