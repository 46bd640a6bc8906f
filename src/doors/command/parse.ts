import { parseArgs } from "node:util";
import { CheckpointError } from "../../core/errors.ts";
import type { GlobalOptions } from "../../work/terminal/command.ts";
import { hintForExtra, hintForOption, hintIfMistaken } from "./mistaken-words.ts";
import { convertValue, looksLikeOption, type OptionToken } from "./parse-value.ts";
import type { ArgumentSpec, OptionSpec } from "../../work/verbs/field.ts";
import type { CommandSpec } from "../../work/verbs/spec.ts";
import { commandWords, isCommand, optionName, SPECS, specOf, subcommandsOf } from "./table.ts";
import { GLOBAL } from "../../work/verbs/command-words.ts";

/** Every option and argument of a command, under its name. */
type ParsedOptions = GlobalOptions & Readonly<Record<string, unknown>>;

type KnownOptions = Readonly<Record<string, OptionSpec>>;

/** A word that is not an option, and where it stands. */
interface WordToken {
  readonly kind: "word";
  readonly text: string;
  readonly index: number;
  /** Whether it comes after `--`. */
  readonly isAfterEnd: boolean;
}

/** The options of all commands. */
export const allOptions = (): KnownOptions =>
  Object.assign({}, ...SPECS.map(({ options }) => options), GLOBAL) as KnownOptions;

/** Which command the words name, and the rest of them. Undefined when no command is named at all. */
export function findCommand(words: readonly string[]): { name: string; rest: string[] } | undefined {
  // Options may stand before the command, whose own are not known yet.
  const [first, second] = tokensOf(words, allOptions()).flatMap((token) =>
    token.kind === "word" && !token.isAfterEnd ? [token] : [],
  );
  if (first === undefined) return undefined;
  const without = (...taken: readonly number[]) => words.filter((_, index) => !taken.includes(index));
  const name = second === undefined ? first.text : `${first.text} ${second.text}`;
  if (second !== undefined && isCommand(name)) return { name, rest: without(first.index, second.index) };
  if (isCommand(first.text)) {
    const spec = specOf(first.text);
    const hint = second && hintIfMistaken(spec, second.text);
    if (second && hint) throw usage(`checkpoint ${first.text} has no "${second.text}".`, spec, { hint });
    return { name: first.text, rest: without(first.index) };
  }
  const seconds = subcommandsOf(first.text);
  if (seconds.length === 0) throw unknownCommand(first.text);
  // `checkpoint task --help` asks what may follow.
  const isHelp = (word: string) => word === "--help" || word === "-h";
  if (second === undefined && words.some(isHelp))
    return { name: "help", rest: words.filter((word) => !isHelp(word)) };
  if (second === undefined) throw halfCommand(first.text, seconds);
  const meant = seconds.map((word) => `${first.text} ${word}`);
  throw unknownCommand(name, { known: meant, hint: `checkpoint help ${first.text}` });
}

/** Reads the words of a known command. Throws `usage` for anything that the command does not know. */
export function parseOptions(name: string, words: readonly string[]): ParsedOptions {
  const spec = specOf(name);
  const known: KnownOptions = { ...spec.options, ...GLOBAL };
  const options = emptyOptions(known);
  const positional: string[] = [];
  for (const token of tokensOf(words, known)) {
    if (token.kind === "word") positional.push(token.text);
    else readOption(options, known, token, spec);
  }
  if (!options["help"]) takeArguments(options, spec, positional);
  return options as ParsedOptions;
}

/** Tells options, their values and other words apart. What a word means to the command is not looked at. */
export function tokensOf(words: readonly string[], known: KnownOptions): (WordToken | OptionToken)[] {
  const keys = new Map(Object.keys(known).map((key) => [optionName(key).slice(2), key]));
  const { tokens } = parseArgs({ args: [...words], options: typesOf(known), strict: false, tokens: true });
  const found: (WordToken | OptionToken)[] = [];
  let isAfterEnd = false;
  let last = -1;
  for (const token of tokens) {
    // Node takes `-12` for two options, and does not know of options with two values.
    if (token.index <= last) continue;
    if (token.kind === "option-terminator") isAfterEnd = true;
    else if (token.kind === "positional" || /^-\d/.test(token.rawName)) {
      last = token.index;
      found.push({ kind: "word", text: words[token.index] as string, index: token.index, isAfterEnd });
    } else {
      const { name, rawName: typed, value, inlineValue: isInline = false } = token;
      const key = keys.get(name);
      const takesTwo = key !== undefined && known[key]?.kind === "pairs" && !isInline;
      const second = takesTwo ? words[token.index + 2] : undefined;
      if (second !== undefined && !looksLikeOption(second)) last = token.index + 2;
      found.push({ kind: "option", typed, key, value, isInline, second });
    }
  }
  return found;
}

function typesOf(known: KnownOptions) {
  return Object.fromEntries(
    Object.entries(known).map(([key, option]) => [
      optionName(key).slice(2),
      {
        type: option.kind === "flag" ? ("boolean" as const) : ("string" as const),
        ...("short" in option && option.short !== undefined ? { short: option.short.slice(1) } : {}),
      },
    ]),
  );
}

function emptyOptions(known: KnownOptions): Record<string, unknown> {
  const empty = ({ kind }: OptionSpec) => {
    if (kind === "flag") return false;
    return kind === "texts" || kind === "pairs" ? [] : undefined;
  };
  return Object.fromEntries(Object.entries(known).map(([key, option]) => [key, empty(option)]));
}

function readOption(
  options: Record<string, unknown>,
  known: KnownOptions,
  token: OptionToken,
  spec: CommandSpec,
): void {
  const { key, typed } = token;
  const option = key === undefined ? undefined : known[key];
  if (key === undefined || option === undefined) throw unknownOption(typed, spec);
  if (option.kind === "flag") {
    if (token.isInline) throw usage(`${typed} takes no value.`, spec);
    options[key] = true;
    return;
  }
  const value = convertValue(option, token, spec.name);
  const list = options[key];
  options[key] = Array.isArray(list) ? [...(list as unknown[]), ...(value as unknown[])] : value;
}

function takeArguments(options: Record<string, unknown>, spec: CommandSpec, positional: string[]): void {
  const left = [...positional];
  for (const [key, argument] of Object.entries(spec.arguments ?? {})) {
    const value = argument.kind === "rest" ? left.splice(0) : left.shift();
    if (value === undefined && argument.kind !== "optional") throw missing(argument, spec);
    if (argument.kind === "choice" && !argument.choices.includes(value as string))
      throw badChoice(argument, value as string, spec);
    options[key] = value;
  }
  if (left.length > 0) throw tooMany(spec, positional);
}

function missing(argument: ArgumentSpec, spec: CommandSpec): CheckpointError {
  if (argument.kind === "choice") {
    return usage(`checkpoint ${spec.name} needs one of ${argument.choices.join(", ")}.`, spec);
  }
  return usage(`checkpoint ${spec.name} needs ${argument.value}: ${lowerFirst(argument.about)}.`, spec);
}

function badChoice(
  { choices }: ArgumentSpec & { kind: "choice" },
  value: string,
  spec: CommandSpec,
): CheckpointError {
  const message = `"${value}" is not one of ${choices.join(", ")}.`;
  return usage(message, spec, { typed: value, known: choices });
}

function tooMany(spec: CommandSpec, positional: readonly string[]): CheckpointError {
  const takes = Object.values(spec.arguments ?? {});
  if (takes.length === 0) {
    const [typed = ""] = positional;
    const known = subcommandsOf(spec.name);
    const hint = hintForExtra(spec, positional);
    const message = `checkpoint ${spec.name} takes no arguments, but got "${typed}".`;
    return usage(message, spec, { hint, typed, known });
  }
  const text = positional.slice(takes.length - 1).join(" ");
  const isText = takes.at(-1)?.about.includes("in quotes");
  const hint = isText ? `Put the words in quotes: checkpoint ${spec.name} "${text}"` : undefined;
  const message = `checkpoint ${spec.name} got ${positional.length} arguments, where it takes ${takes.length}.`;
  return usage(message, spec, { hint });
}

function unknownOption(typed: string, spec: CommandSpec): CheckpointError {
  const known = Object.keys({ ...spec.options, ...GLOBAL }).map(optionName);
  return usage(`checkpoint ${spec.name} has no option "${typed}".`, spec, {
    hint: hintForOption(spec, typed),
    typed,
    known,
  });
}

function unknownCommand(
  typed: string,
  { known = commandWords(), hint = "checkpoint help" } = {},
): CheckpointError {
  return new CheckpointError("usage", `There is no command "${typed}".`, { hint, details: { typed, known } });
}

function halfCommand(first: string, seconds: readonly string[]): CheckpointError {
  return new CheckpointError("usage", `checkpoint ${first} needs one of ${seconds.join(", ")}.`, {
    hint: `checkpoint help ${first}`,
    details: { typed: first },
  });
}

interface UsageOptions {
  readonly hint?: string | undefined;
  /** What was typed, and what exists: what was meant is found when the error is shown. */
  readonly typed?: string;
  readonly known?: readonly string[];
}

function usage(message: string, { name }: CommandSpec, options: UsageOptions = {}): CheckpointError {
  const { hint = `checkpoint ${name} --help`, ...details } = options;
  return new CheckpointError("usage", message, { hint, details: { command: name, ...details } });
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
