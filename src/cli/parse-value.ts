import { CheckpointError } from "../errors.ts";
import { type OptionSpec, optionValue } from "./spec.ts";

type ValueOption = Exclude<OptionSpec, { kind: "flag" }>;

/** An option as it was typed, and what follows it. */
interface Typed {
  readonly typed: string;
  /** The text after `=`, if there was one. */
  readonly inline: string | undefined;
  readonly words: readonly string[];
  /** For whose help to point to. */
  readonly command: string;
}

/** Reads the value of an option, and says how many of the words after it that took. */
export function parseValue(option: ValueOption, from: Typed): { value: unknown; used: number } {
  if (option.kind === "pairs") return parsePair(option, from);
  const { inline, words } = from;
  const text = inline ?? words[0];
  if (text === undefined || (inline === undefined && isOption(text))) throw needsValue(option, from, text);
  return { value: convert(option, from, text), used: inline === undefined ? 1 : 0 };
}

/** `--var KEY VALUE`, and also `--var KEY=VALUE` and `--var=KEY=VALUE`, since people type these too. */
function parsePair(option: ValueOption, from: Typed): { value: unknown; used: number } {
  const { inline, words } = from;
  const [first = inline, second] = inline === undefined ? words : [];
  if (first === undefined || (inline === undefined && isOption(first))) throw needsValue(option, from, first);
  const at = first.indexOf("=");
  const isAlone = second === undefined || isOption(second);
  if (isAlone && at > 0) {
    return { value: [[first.slice(0, at), first.slice(at + 1)]], used: inline === undefined ? 1 : 0 };
  }
  if (isAlone) throw needsValue(option, from, second);
  return { value: [[first, second]], used: 2 };
}

/** What looks like an option is rather a forgotten value than a text. */
function isOption(text: string): boolean {
  return /^--?[A-Za-z]/.test(text);
}

function convert(option: Exclude<ValueOption, { kind: "pairs" }>, from: Typed, text: string): unknown {
  if (option.kind === "number") return parseNumber(from, text, option.minimum);
  if (option.kind === "duration") return parseDuration(from, text);
  // Sentences may hold commas; lists of ids and keys are written with them.
  if (option.kind === "texts") return option.value.includes(",") ? splitList(text) : [text];
  if (option.kind === "choice" && !option.choices.includes(text)) {
    throw wrong(from, text, `is not one of ${option.choices.join(", ")}`);
  }
  return text;
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function parseNumber(from: Typed, text: string, minimum: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum) return value;
  throw wrong(from, text, `is not a whole number of at least ${minimum}`);
}

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `30s`, `5m`, `1h`; a bare number is seconds. In milliseconds. */
function parseDuration(from: Typed, text: string): number {
  const [, digits, unit = "s"] = /^(\d{1,6})(s|m|h)?$/.exec(text) ?? [];
  const value = Number(digits) * UNITS_MS[unit as keyof typeof UNITS_MS];
  if (value >= 1000) return value;
  throw wrong(from, text, "is not a time like 30s, 5m or 1h");
}

function wrong({ typed, command }: Typed, text: string, why: string): CheckpointError {
  return new CheckpointError("usage", `${typed}: "${text}" ${why}.`, {
    hint: `checkpoint ${command} --help`,
    details: { option: typed, value: text },
  });
}

function needsValue(
  option: ValueOption,
  { typed, command }: Typed,
  found: string | undefined,
): CheckpointError {
  const got = found === undefined ? "" : `, but "${found}" follows`;
  const asValue = `If that is the value: ${typed}=${option.kind === "pairs" ? "KEY=" : ""}${found}`;
  return new CheckpointError("usage", `${typed} needs ${optionValue(option)}${got}.`, {
    hint: found === undefined ? `checkpoint ${command} --help` : asValue,
    details: { option: typed },
  });
}
