import { type CommandSpec, GROUPS, type VerbTable } from "../../work/verbs/spec.ts";
import type { OptionSpec } from "../../work/verbs/field.ts";
import { TABLES } from "../verbs.ts";
import { AGENTS } from "./table/agents.ts";
import { SETUP } from "./table/setup.ts";

const ORDER = Object.keys(GROUPS);

const loadOwn = (file: string): Promise<object> => import(`./commands/${file}.ts`) as Promise<object>;

/** First words that people type, and see, in the place of those that the library and the formats have. */
const TYPED_AS: Readonly<Record<string, string>> = { constraint: "rule" };

/** The name that is shown for one of these, which is understood too. */
function typedName(name: string): string {
  return name.replace(/^\w+/, (word) => TYPED_AS[word] ?? word);
}

/** All commands, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandSpec>> = Object.fromEntries(
  [...TABLES, { group: "setup", entries: { ...AGENTS, ...SETUP } } as const]
    .flatMap(specsOf)
    .toSorted((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group))
    .map((spec) => [spec.name, spec]),
);

function specsOf({ group, entries, load = loadOwn }: VerbTable): CommandSpec[] {
  return Object.entries(entries).flatMap(([key, entry]) =>
    "command" in entry ? [] : [{ ...entry, key, name: typedName(key), group, load }],
  );
}

export const SPECS: readonly CommandSpec[] = Object.values(COMMANDS);

export function isCommand(name: string): boolean {
  return Object.hasOwn(COMMANDS, typedName(name));
}

/** The description of a command that there is. */
export function specOf(name: string): CommandSpec {
  return COMMANDS[typedName(name)] as CommandSpec;
}

/** The second words of a command that has two: `task` → add, start, done … Empty for all others. */
export function subcommandsOf(word: string): string[] {
  const first = `${typedName(word)} `;
  return Object.keys(COMMANDS)
    .filter((name) => name.startsWith(first))
    .map((name) => name.slice(first.length));
}

/** What somebody may have meant: every command, and the first words of those that have two. */
export function commandWords(): string[] {
  const names = Object.keys(COMMANDS);
  return [...new Set([...names, ...names.map((name) => name.replace(/ .*/, ""))])];
}

/** `dryRun` and `done_when` as they are typed: `--dry-run`, `--done-when`. */
export function optionName(key: string): string {
  return `--${key.replaceAll("_", "-").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** What stands after the option's name: `KEY VALUE`, `N`, `minimal|compact` or nothing. */
export function optionValue(option: OptionSpec): string {
  if (option.kind === "flag") return "";
  return option.kind === "choice" ? option.choices.join("|") : option.value;
}
