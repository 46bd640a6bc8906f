import type { CommandEntry, CommandSpec, OptionSpec } from "./spec.ts";
import { AGENTS, SESSIONS } from "./table/agents.ts";
import { CORRECTIONS } from "./table/corrections.ts";
import { GOVERNANCE } from "./table/governance.ts";
import { HISTORY, KEEPING } from "./table/keeping.ts";
import { REMOTES } from "./table/remotes.ts";
import { RUNS } from "./table/runs.ts";
import { SAVING } from "./table/saving.ts";
import { SETUP } from "./table/setup.ts";
import { WORKFLOWS } from "./table/workflows.ts";
import { TASKS, WORK } from "./table/work.ts";

/** All commands, in the order of the help. */
export const COMMANDS = {
  ...grouped("saving", { ...SAVING, ...SESSIONS }),
  ...grouped("work", WORK, "work"),
  ...grouped("work", CORRECTIONS, "corrections"),
  ...grouped("work", TASKS),
  ...grouped("workflows", { ...WORKFLOWS, ...RUNS }),
  ...grouped("history", HISTORY),
  ...grouped("keeping", KEEPING),
  ...grouped("sharing", REMOTES),
  ...grouped("governance", GOVERNANCE),
  ...grouped("setup", { ...AGENTS, ...SETUP }),
} as const;

type Grouped<Entries> = {
  readonly [Name in keyof Entries]: Entries[Name] & Pick<CommandSpec, "name" | "group" | "file">;
};

/** A command's file is named after its first word, unless a whole table shares one. */
function grouped<Entries extends Readonly<Record<string, CommandEntry>>>(
  group: CommandSpec["group"],
  entries: Entries,
  file?: string,
): Grouped<Entries> {
  const specs = Object.entries(entries).map(([name, entry]) => [
    name,
    { file: file ?? name.replace(/ .*/, ""), ...entry, name, group },
  ]);
  return Object.fromEntries(specs) as Grouped<Entries>;
}

export type CommandName = keyof typeof COMMANDS;

export const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

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
