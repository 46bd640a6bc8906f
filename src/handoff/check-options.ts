import { CheckpointError } from "../errors.ts";

/** The option is absent or one of these words; anything else is refused, so that no typing error is ever ignored. */
export function checkWord<Word extends string>(
  name: string,
  value: Word | undefined,
  words: readonly Word[],
): void {
  if (value === undefined || words.includes(value)) return;
  throw wrong(name, value, `one of ${words.join(", ")}`);
}

export function checkFlag(name: string, value: boolean | undefined): void {
  if (value !== undefined && typeof value !== "boolean") throw wrong(name, value, "true or false");
}

export function checkText(name: string, value: string | undefined): void {
  if (value !== undefined && typeof value !== "string") throw wrong(name, value, "a text");
}

/** A single text would be taken for a list of its letters. */
export function checkTexts(name: string, value: readonly string[] | undefined): void {
  if (value === undefined) return;
  if (!Array.isArray(value) || value.some((text) => typeof text !== "string"))
    throw wrong(name, value, "a list of texts");
}

function wrong(name: string, value: unknown, wanted: string): CheckpointError {
  const found = (JSON.stringify(value) ?? String(value)).slice(0, 60);
  return new CheckpointError("usage", `The option "${name}" is ${found}, where ${wanted} is needed.`, {
    hint: `Give ${wanted} for "${name}", or leave it out.`,
    details: { name },
  });
}
