import type { CommandSpec } from "./spec.ts";
import { AGENTS } from "./table/agents.ts";
import { KEEPING } from "./table/keeping.ts";
import { RUNS } from "./table/runs.ts";
import { SAVING } from "./table/saving.ts";
import { SESSIONS } from "./table/sessions.ts";
import { SETUP } from "./table/setup.ts";
import { WORKFLOWS } from "./table/workflows.ts";
import { TASKS, WORK } from "./table/work.ts";

/** All commands, in the order of the help. */
export const COMMANDS = {
  ...SAVING,
  ...SESSIONS,
  ...WORK,
  ...TASKS,
  ...WORKFLOWS,
  ...RUNS,
  ...KEEPING,
  ...AGENTS,
  ...SETUP,
} as const;

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
