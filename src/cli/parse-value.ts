import { CheckpointError } from "../errors.ts";
import { type OptionSpec, optionValue } from "./spec.ts";

type ValueOption = Exclude<OptionSpec, { kind: "flag" }>;

/**
 * Reads the value of an option from what follows it: `inline` is the text after `=`, if there was one. Says
 * how many of `words` were used.
 */
export function parseValue(
  option: ValueOption,
  typed: string,
  inline: string | undefined,
  words: readonly string[],
): { value: unknown; used: number } {
  if (option.kind === "pairs") return parsePair(option, typed, inline, words);
  const text = inline ?? words[0];
  if (text === undefined || (inline === undefined && isOption(text))) throw needsValue(option, typed, text);
  return { value: convert(option, typed, text), used: inline === undefined ? 1 : 0 };
}

/** `--var KEY VALUE`, and also `--var KEY=VALUE` and `--var=KEY=VALUE`, since people type these too. */
function parsePair(
  option: ValueOption,
  typed: string,
  inline: string | undefined,
  words: readonly string[],
): { value: unknown; used: number } {
  const [first = inline, second] = inline === undefined ? words : [];
  if (first === undefined || (inline === undefined && isOption(first)))
    throw needsValue(option, typed, first);
  const at = first.indexOf("=");
  const isAlone = second === undefined || isOption(second);
  if (isAlone && at > 0) {
    return { value: [[first.slice(0, at), first.slice(at + 1)]], used: inline === undefined ? 1 : 0 };
  }
  if (isAlone) throw needsValue(option, typed, second);
  return { value: [[first, second]], used: 2 };
}

/** What looks like an option is rather a forgotten value than a text. */
function isOption(text: string): boolean {
  return /^--?[A-Za-z]/.test(text);
}

function convert(option: Exclude<ValueOption, { kind: "pairs" }>, typed: string, text: string): unknown {
  if (option.kind === "number") return parseNumber(typed, text, option.minimum);
  if (option.kind === "duration") return parseDuration(typed, text);
  // Sentences may hold commas; lists of ids and keys are written with them.
  if (option.kind === "texts") return option.value.includes(",") ? splitList(text) : [text];
  if (option.kind === "choice" && !option.choices.includes(text)) {
    throw wrong(typed, text, `is not one of ${option.choices.join(", ")}`);
  }
  return text;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function parseNumber(typed: string, text: string, minimum: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum) return value;
  throw wrong(typed, text, `is not a whole number of at least ${minimum}`);
}

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `30s`, `5m`, `1h`; a bare number is seconds. In milliseconds. */
function parseDuration(typed: string, text: string): number {
  const [, digits, unit = "s"] = /^(\d{1,6})(s|m|h)?$/.exec(text) ?? [];
  const value = Number(digits) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (value >= 1000) return value;
  throw wrong(typed, text, "is not a time like 30s, 5m or 1h");
}

function wrong(typed: string, text: string, why: string): CheckpointError {
  return new CheckpointError("usage", `${typed}: "${text}" ${why}.`, {
    details: { option: typed, value: text },
  });
}

function needsValue(option: ValueOption, typed: string, found: string | undefined): CheckpointError {
  const got = found === undefined ? "" : `, but "${found}" follows`;
  return new CheckpointError("usage", `${typed} needs ${optionValue(option)}${got}.`, {
    ...(found === undefined
      ? {}
      : { hint: `If that is the value: ${typed}=${option.kind === "pairs" ? "KEY=" : ""}${found}` }),
    details: { option: typed },
  });
}
