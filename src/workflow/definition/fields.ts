import { isAbsolute } from "node:path";

import type { Path } from "../../objects/json.ts";
import { cut } from "../../text/cut.ts";
import { isRecord } from "../../text/untrusted.ts";
import { parseDuration } from "./duration.ts";
import { closest, type Problems } from "./problems.ts";

/** Checks one value; says what is wrong with it by adding a problem. */
export type Check = (value: unknown, path: Path, problems: Problems) => void;

/** A value that fits `fits`; otherwise the problem says what it should be, with an example. */
function a(what: string, fits: (value: unknown) => boolean, example: string): Check {
  return (value, path, problems) => {
    if (!fits(value)) problems.add(path, `${shown(value)} is not ${what}.`, `Write it like this: ${example}`);
  };
}

const isText = (value: unknown) => typeof value === "string" && value.trim() !== "" && !value.includes("\0");
const isScalar = (value: unknown) =>
  isText(value) || typeof value === "number" || typeof value === "boolean" || value === "";

export const text = a("a text", isText, "some words");
export const flag = a("true or false", (value) => typeof value === "boolean", "true");
export const scalar = a("a text, a number, true or false", isScalar, "some words");
export const count = (minimum: number) =>
  a(
    `a whole number from ${minimum} up`,
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum,
    String(minimum + 1),
  );
export const duration = a(
  "a length of time",
  (value) => parseDuration(value) !== undefined,
  "500ms, 5s, 10m or 1h30m",
);
export const command: Check = (value, path, problems) => {
  if (typeof value === "function" || isText(value) || isWords(value)) return;
  problems.add(
    path,
    `${shown(value)} is not a command.`,
    "Write a line for the shell, ./build.sh, or the words of a program: [make, build]",
  );
};
const isWords = (value: unknown) =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((word) => typeof word === "string" && !word.includes("\0")) &&
  isText(value[0]);

/** Files of the project, named from its root. */
export const output: Check = (value, path, problems) => {
  text(value, path, problems);
  if (typeof value !== "string") return;
  if (isAbsolute(value) || value.split(/[\\/]/).includes(".."))
    problems.add(
      path,
      `The output ${shown(value)} is outside of the project.`,
      "Name it from the project's root: reports/plan.json",
    );
};

/** A name that works as a part of a trail's name and of a folder. */
export const ID = /^[A-Za-z0-9_](?:[\w.-]*[\w-])?$/;
export const id = a(
  "a name",
  (value) => typeof value === "string" && ID.test(value) && value.length <= 80 && !value.includes(".."),
  "letters, digits, - and _, as in build-api",
);

/** Names of variables: they become `INPUT_…` and environment variables. */
const variableName = /^[A-Za-z_][A-Za-z0-9_-]*$/;

export function list(of: Check): Check {
  return (value, path, problems) => {
    if (!Array.isArray(value))
      problems.add(path, `${shown(value)} is not a list.`, "Write it in brackets: [one, two]");
    else for (const [index, item] of value.entries()) of(item, [...path, index], problems);
  };
}

export function map(of: Check): Check {
  return (value, path, problems) => {
    if (!isRecord(value)) {
      problems.add(path, `${shown(value)} is not a map.`, "Write names and values: { KEY: value }");
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      const place = [...path, key];
      if (!variableName.test(key))
        problems.add(place, `"${key}" is not a name for a variable.`, "Use letters, digits and _");
      else of(item, place, problems);
    }
  };
}

/** A map with known keys. An unknown one is a mistake, most often a typing error. */
export function record(checks: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, path, problems) => {
    if (!isRecord(value)) {
      problems.add(
        path,
        `${shown(value)} is not a map.`,
        `Write it with these fields: ${Object.keys(checks).join(", ")}`,
      );
      return;
    }
    for (const key of required) {
      if (value[key] === undefined) problems.add(path, `"${key}" is missing.`, `Add it: ${key}: …`);
    }
    for (const [key, item] of Object.entries(value)) {
      const check = Object.hasOwn(checks, key) ? checks[key] : undefined;
      if (check === undefined)
        problems.add(
          [...path, key],
          `There is no field "${key}" here.`,
          unknownField(key, Object.keys(checks)),
        );
      else if (item !== undefined) check(item, [...path, key], problems);
    }
  };
}

export function either(isFirst: (value: unknown) => boolean, first: Check, second: Check): Check {
  return (value, path, problems) => (isFirst(value) ? first : second)(value, path, problems);
}

function unknownField(key: string, known: readonly string[]): string {
  const meant = closest(key, known);
  return meant === undefined ? `The fields are ${known.join(", ")}` : `Did you mean "${meant}"?`;
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return "Nothing";
  const words = typeof value === "function" ? "A function" : JSON.stringify(value);
  return words.length > 60 ? cut(words, 57) : words;
}
