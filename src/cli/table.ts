import type { CommandSpec, OptionSpec } from "./spec.ts";
import { COMMANDS } from "./table/all.ts";

export { COMMANDS };

export type CommandName = keyof typeof COMMANDS;

export function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

export function specOf(name: CommandName): CommandSpec {
  return COMMANDS[name];
}

/** The second words of a command that has two: `task` → add, start, done … Empty for all others. */
export function subcommandsOf(word: string): string[] {
  return Object.keys(COMMANDS)
    .filter((name) => name.startsWith(`${word} `))
    .map((name) => name.slice(word.length + 1));
}

/** What somebody may have meant: every command, and the first words of those that have two. */
export function commandWords(): string[] {
  const names = Object.keys(COMMANDS);
  return [...new Set([...names, ...names.map((name) => name.replace(/ .*/, ""))])];
}

/** `dryRun` as it is typed: `--dry-run`. */
export function optionName(key: string): string {
  return `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** What stands after the option's name: `KEY VALUE`, `N`, `minimal|compact` or nothing. */
export function optionValue(option: OptionSpec): string {
  if (option.kind === "flag") return "";
  return option.kind === "choice" ? option.choices.join("|") : option.value;
}
