import { type Shape, withMore } from "../shape/shape.ts";

/** Words that config and workflow files are described in, besides those of every shape. */

/** A value that passes `fits`; the problem says otherwise what it should be, with an example. */
export function valueThat<Value>(
  what: string,
  fits: (value: unknown) => boolean,
  example: string,
  schema: Shape<Value>,
): Shape<Value> {
  return withMore(schema, {
    check: (value, path, faults) => {
      if (!fits(value)) faults.wrong(path, value, what, `Write it like this: ${example}`);
    },
  });
}

export const isText = (value: unknown): boolean =>
  typeof value === "string" && value.trim() !== "" && !value.includes("\0");

export const text = valueThat<string>("a text", isText, "some words", { type: "string", minLength: 1 });

export const count = (minimum: number) =>
  valueThat<number>(
    `a whole number from ${minimum} up`,
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum,
    String(minimum + 1),
    { type: "integer", minimum },
  );

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
