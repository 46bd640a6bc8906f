import { CheckpointError } from "../../core/errors.ts";
import { timerMs } from "../../core/text/duration.ts";
import type { OptionSpec } from "../../work/verbs/field.ts";
import { optionValue } from "./table.ts";

type ValueOption = Exclude<OptionSpec, { kind: "flag" }>;

export interface OptionToken {
  readonly kind: "option";
  /** As it was typed, without a value. */
  readonly typed: string;
  /** The option's key; undefined for one that is not known. */
  readonly key: string | undefined;
  readonly value: string | undefined;
  /** Whether the value was typed after `=`. */
  readonly isInline: boolean;
  /** What follows the first value of an option that takes two. */
  readonly second: string | undefined;
}

/** What was typed, and the command whose help errors point to. */
interface TypedOption extends OptionToken {
  readonly command: string;
}

/** What looks like an option is a forgotten value rather than a text. */
export function looksLikeOption(text: string): boolean {
  return /^--?[A-Za-z]/.test(text);
}

/** The value of an option as its kind has it. */
export function convertValue(option: ValueOption, token: OptionToken, command: string): unknown {
  const from = { ...token, command };
  const { value: text, isInline } = from;
  if (text === undefined || (!isInline && looksLikeOption(text))) throw needsValue(option, from, text);
  switch (option.kind) {
    case "pairs":
      return [parsePair(option, from, text)];
    case "number":
      return parseNumber(
        from,
        option.letter === undefined ? text : withoutLetter(text, option.letter),
        option.minimum,
      );
    case "duration":
      return parseTime(from, text);
    case "texts":
      // Sentences may hold commas; lists of ids and keys are written with them.
      return option.value.includes(",") ? splitList(text) : [text];
    case "choice":
      if (!option.choices.includes(text))
        throw wrong(from, text, `is not one of ${option.choices.join(", ")}`);
      break;
    case "text":
      break;
  }
  return text;
}

/** `--var KEY VALUE`, and also `--var KEY=VALUE` and `--var=KEY=VALUE`, since people type these too. */
function parsePair(option: ValueOption, from: TypedOption, first: string): [key: string, value: string] {
  const { second } = from;
  if (second !== undefined && !looksLikeOption(second)) return [first, second];
  const at = first.indexOf("=");
  if (at > 0) return [first.slice(0, at), first.slice(at + 1)];
  throw needsValue(option, from, second);
}

function splitList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** `T2`, as it is shown, is 2. */
const withoutLetter = (text: string, letter: string) =>
  text.toUpperCase().startsWith(letter) && /\d$/.test(text) ? text.slice(letter.length) : text;

function parseNumber(from: TypedOption, text: string, minimum: number): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum) return value;
  throw wrong(from, text, `is not a whole number of at least ${minimum}`);
}

/** `30s`, `5m`, `1h30m`; a bare number is seconds. In milliseconds. */
function parseTime(from: TypedOption, text: string): number {
  const value = timerMs(/^\d+$/.test(text) ? `${text}s` : text) ?? 0;
  if (value >= 1000) return value;
  throw wrong(from, text, "is not a time like 30s, 5m or 1h");
}

function wrong({ typed, command }: TypedOption, text: string, why: string): CheckpointError {
  return new CheckpointError("usage", `${typed}: "${text}" ${why}.`, {
    hint: `checkpoint ${command} --help`,
    details: { option: typed, value: text },
  });
}

function needsValue(
  option: ValueOption,
  { typed, command }: TypedOption,
  found: string | undefined,
): CheckpointError {
  const got = found === undefined ? "" : `, but "${found}" follows`;
  const asValue = `If that is the value: ${typed}=${option.kind === "pairs" ? "KEY=" : ""}${found}`;
  return new CheckpointError("usage", `${typed} needs ${optionValue(option)}${got}.`, {
    hint: found === undefined ? `checkpoint ${command} --help` : asValue,
    details: { option: typed },
  });
}
