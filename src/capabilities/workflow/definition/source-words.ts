import { isAbsolute } from "node:path";

import { DURATION, timerMs } from "../../../core/text/duration.ts";
import { check } from "../../../work/shape/check.ts";
import { type Shape, withMore } from "../../../work/shape/shape.ts";
import { isText, text, valueThat } from "../../../work/yaml/words.ts";

export const scalar = valueThat<string | number | boolean>(
  "a text, a number, true or false",
  (value) => isText(value) || typeof value === "number" || typeof value === "boolean" || value === "",
  "some words",
  { type: ["string", "number", "boolean"] },
);

export const duration = valueThat<string>(
  "a length of time",
  (value) => timerMs(value) !== undefined,
  "500ms, 5s, 10m or 1h30m",
  { type: "string", pattern: DURATION.source, examples: ["500ms", "5s", "10m", "1h30m"] },
);

/** A line for the shell, or the words of a program. */
export type CommandLine = string | readonly string[];

export const commandLine = valueThat<CommandLine>(
  "a command",
  (value) => isText(value) || isWords(value),
  "./build.sh for the shell, or the words of a program: [make, build]",
  {
    description: "A line for the shell, or the words of a program, which no shell sees.",
    oneOf: [text, { type: "array", minItems: 1, items: { type: "string" } }],
  },
);

const isWords = (value: unknown) =>
  Array.isArray(value) &&
  value.every((word) => typeof word === "string" && !word.includes("\0")) &&
  isText(value[0]);

/** Files of the project, named from its root. */
export const output: Shape<string> = withMore(text, {
  check: (value, path, faults) => {
    check(value, text, faults, path);
    if (typeof value !== "string" || !(isAbsolute(value) || value.split(/[\\/]/).includes(".."))) return;
    const message = `The output ${JSON.stringify(value)} is outside of the project.`;
    faults.add(path, message, "Name it from the project's root: reports/plan.json");
  },
});

/** Names of variables: they become `INPUT_…` and environment variables. */
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_-]*$/;

const variable = withMore(
  { pattern: VARIABLE.source },
  {
    check: (key, path, faults) => {
      if (!VARIABLE.test(String(key)))
        faults.add(path, `"${String(key)}" is not a name for a variable.`, "Use letters, digits and _");
    },
  },
);

export const variables = <Value>(values: Shape<Value>): Shape<Readonly<Record<string, Value>>> => ({
  type: "object",
  propertyNames: variable,
  additionalProperties: values,
});
