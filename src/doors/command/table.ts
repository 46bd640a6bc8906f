import { CAPABILITIES } from "../../capabilities/list.ts";
import { type CommandSpec, type CommandTable, GROUPS, type OptionSpec } from "../../work/verbs/spec.ts";
import { AGENTS, SESSIONS } from "./table/agents.ts";
import { CORRECTIONS } from "./table/corrections.ts";
import { HISTORY, KEEPING } from "./table/keeping.ts";
import { RUNS } from "./table/runs.ts";
import { SAVING } from "./table/saving.ts";
import { SETUP } from "./table/setup.ts";
import { WORKFLOWS } from "./table/workflows.ts";
import { TASKS, WORK } from "./table/work.ts";

const ORDER = Object.keys(GROUPS);

const OWN = {
  saving: { ...SAVING, ...SESSIONS },
  work: WORK,
  corrections: CORRECTIONS,
  tasks: TASKS,
  workflows: { ...WORKFLOWS, ...RUNS },
  history: HISTORY,
  keeping: KEEPING,
  setup: { ...AGENTS, ...SETUP },
} as const;

type Tables = typeof OWN;

/** The commands of this folder. */
export type OwnCommands = Tables["saving"] &
  Tables["work"] &
  Tables["corrections"] &
  Tables["tasks"] &
  Tables["workflows"] &
  Tables["history"] &
  Tables["keeping"] &
  Tables["setup"];

const load = (file: string): Promise<object> => import(`./commands/${file}.ts`) as Promise<object>;

const TABLES: readonly CommandTable[] = [
  { group: "saving", entries: OWN.saving, load },
  { group: "work", entries: OWN.work, file: "work", load },
  { group: "work", entries: OWN.corrections, file: "corrections", load },
  { group: "work", entries: OWN.tasks, load },
  { group: "workflows", entries: OWN.workflows, load },
  { group: "history", entries: OWN.history, load },
  { group: "keeping", entries: OWN.keeping, load },
  ...CAPABILITIES.flatMap(({ commands = [] }) => commands),
  { group: "setup", entries: OWN.setup, load },
];

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandSpec>> = Object.fromEntries(
  TABLES.flatMap(specsOf)
    .toSorted((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group))
    .map((spec) => [spec.name, spec]),
);

function specsOf({ group, entries, file, load: loadFile }: CommandTable): CommandSpec[] {
  return Object.entries(entries).map(([name, { file: own, ...entry }]) => ({
    ...entry,
    name,
    group,
    load: () => loadFile(own ?? file ?? name.replace(/ .*/, "")),
  }));
}

export const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

export function isCommand(name: string): boolean {
  return Object.hasOwn(COMMANDS, name);
}

/** The description of a command that there is. */
export function specOf(name: string): CommandSpec {
  return COMMANDS[name] as CommandSpec;
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
