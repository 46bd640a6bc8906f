import { CheckpointError } from "../errors.ts";
import type { ParsedOptions } from "./command.ts";
import { type ArgumentSpec, type CommandSpec, optionName, type OptionSpec } from "./spec.ts";
import { COMMANDS, type CommandName, commandWords, isCommand, specOf, subcommandsOf } from "./table.ts";
import { GLOBAL } from "./table/shared.ts";
import { parseValue } from "./parse-value.ts";

/** Which command the words name, and the rest of them. Undefined when no command is named at all. */
export function findCommand(words: readonly string[]): { name: CommandName; rest: string[] } | undefined {
  const rest = [...words];
  const first = takeWord(rest);
  if (first === undefined) return undefined;
  const seconds = subcommandsOf(first);
  if (isCommand(first)) return { name: longerName(first, seconds, rest), rest };
  if (seconds.length === 0) throw unknownCommand(first);
  const second = takeWord(rest);
  const name = `${first} ${second ?? ""}`.trimEnd();
  if (isCommand(name)) return { name, rest };
  throw second === undefined ? halfCommand(first, seconds) : unknownCommand(name);
}

/** `runs show`, where `runs` alone is a command as well. Takes the second word if it belongs to the name. */
function longerName(first: CommandName, seconds: readonly string[], rest: string[]): CommandName {
  const second = seconds.length > 0 ? takeWord([...rest]) : undefined;
  const name = `${first} ${second}`;
  if (second === undefined || !isCommand(name)) return first;
  takeWord(rest);
  return name;
}

/** Removes and returns the first word that is neither an option nor its value. */
function takeWord(words: string[]): string | undefined {
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (word === "--") return undefined;
    if (!word.startsWith("-")) return words.splice(index, 1)[0];
    index += valuesAfter(word);
  }
  return undefined;
}

/** How many values follow an option that stands before the command, whose options are not known yet. */
function valuesAfter(word: string): number {
  if (word.includes("=")) return 0;
  const specs: readonly CommandSpec[] = Object.values(COMMANDS);
  for (const spec of specs) {
    const option = findOption(word, { ...GLOBAL, ...spec.options })?.[1];
    if (option !== undefined) return arity(option);
  }
  return 0;
}

function arity(option: OptionSpec): number {
  if (option.kind === "flag") return 0;
  return option.kind === "pairs" ? 2 : 1;
}

/** Reads the words of a known command. Throws `usage` for anything that the command does not know. */
export function parseOptions<Name extends CommandName>(
  name: Name,
  words: readonly string[],
): ParsedOptions<(typeof COMMANDS)[Name]> {
  const spec = specOf(name);
  const known: Record<string, OptionSpec> = { ...spec.options, ...GLOBAL };
  const options = emptyOptions(known);
  const positional: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] as string;
    if (word === "--") {
      positional.push(...words.slice(index + 1));
      break;
    }
    // A lone dash is stdin, and a dash before a digit is a number.
    if (!word.startsWith("-") || word === "-" || /^-\d/.test(word)) positional.push(word);
    else index += readOption(options, known, words.slice(index), spec);
  }
  if (!options["help"]) takeArguments(options, spec, positional);
  return options as ParsedOptions<(typeof COMMANDS)[Name]>;
}

function emptyOptions(known: Record<string, OptionSpec>): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  for (const [key, { kind }] of Object.entries(known)) {
    if (kind === "flag") options[key] = false;
    else options[key] = kind === "texts" || kind === "pairs" ? [] : undefined;
  }
  return options;
}

/** Reads one option; returns how many words after it were its values. */
function readOption(
  options: Record<string, unknown>,
  known: Record<string, OptionSpec>,
  words: readonly string[],
  spec: CommandSpec,
): number {
  const [typed, inline] = splitInline(words[0] ?? "");
  const [key, option] = findOption(typed, known) ?? unknownOption(typed, spec);
  if (option.kind === "flag") {
    if (inline !== undefined) throw usage(`${typed} takes no value.`, spec);
    options[key] = true;
    return 0;
  }
  const { value, used } = parseValue(option, { typed, inline, words: words.slice(1), command: spec.name });
  const list = options[key];
  options[key] = Array.isArray(list) ? [...(list as unknown[]), ...(value as unknown[])] : value;
  return used;
}

function splitInline(word: string): [name: string, value?: string] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at < 0 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

function findOption(typed: string, known: Record<string, OptionSpec>): [string, OptionSpec] | undefined {
  const name = splitInline(typed)[0];
  return Object.entries(known).find(
    ([key, option]) => optionName(key) === name || ("short" in option && option.short === name),
  );
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
  argument: ArgumentSpec & { kind: "choice" },
  value: string,
  spec: CommandSpec,
): CheckpointError {
  return usage(`"${value}" is not one of ${argument.choices.join(", ")}.`, spec);
}

function tooMany(spec: CommandSpec, positional: readonly string[]): CheckpointError {
  const takes = Object.values(spec.arguments ?? {});
  if (takes.length === 0) {
    const [second] = subcommandsOf(spec.name);
    const meant = second === undefined ? undefined : `checkpoint ${spec.name} ${second} ${positional[0]}`;
    return usage(`checkpoint ${spec.name} takes no arguments, but got "${positional[0]}".`, spec, meant);
  }
  const text = positional.slice(takes.length - 1).join(" ");
  const message = `checkpoint ${spec.name} got ${positional.length} arguments, where it takes ${takes.length}.`;
  const isText = takes.at(-1)?.about.includes("in quotes");
  return isText
    ? usage(message, spec, `Put the words in quotes: checkpoint ${spec.name} "${text}"`)
    : usage(message, spec);
}

/** Looking for what was meant is left to whoever shows the error: `details` says what was typed and what exists. */
function unknownOption(typed: string, spec: CommandSpec): never {
  const known = Object.keys({ ...spec.options, ...GLOBAL }).map(optionName);
  throw new CheckpointError("usage", `checkpoint ${spec.name} has no option "${typed}".`, {
    hint: `checkpoint ${spec.name} --help`,
    details: { typed, known },
  });
}

function unknownCommand(typed: string): CheckpointError {
  return new CheckpointError("usage", `There is no command "${typed}".`, {
    hint: "checkpoint help",
    details: { typed, known: commandWords() },
  });
}

function halfCommand(first: string, seconds: readonly string[]): CheckpointError {
  return new CheckpointError("usage", `checkpoint ${first} needs one of ${seconds.join(", ")}.`, {
    hint: `checkpoint help ${first}`,
    details: { typed: first },
  });
}

function usage(message: string, spec: CommandSpec, hint = `checkpoint ${spec.name} --help`): CheckpointError {
  return new CheckpointError("usage", message, { hint, details: { command: spec.name } });
}

const lowerFirst = (text: string) => text.slice(0, 1).toLowerCase() + text.slice(1);
