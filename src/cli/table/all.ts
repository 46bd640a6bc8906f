import type { CommandEntry, CommandSpec } from "../spec.ts";
import { AGENTS } from "./agents.ts";
import { HISTORY, KEEPING } from "./keeping.ts";
import { RUNS } from "./runs.ts";
import { SAVING } from "./saving.ts";
import { SESSIONS } from "./sessions.ts";
import { SETUP } from "./setup.ts";
import { WORKFLOWS } from "./workflows.ts";
import { TASKS, WORK } from "./work.ts";

/** All commands, in the order of the help. */
export const COMMANDS = {
  ...grouped("saving", { ...SAVING, ...SESSIONS }),
  ...grouped("work", { ...WORK, ...TASKS }),
  ...grouped("workflows", { ...WORKFLOWS, ...RUNS }),
  ...grouped("history", HISTORY),
  ...grouped("keeping", KEEPING),
  ...grouped("setup", { ...AGENTS, ...SETUP }),
} as const;

type Grouped<Entries> = { readonly [Name in keyof Entries]: Entries[Name] & CommandSpec };

function grouped<Entries extends Readonly<Record<string, CommandEntry>>>(
  group: CommandSpec["group"],
  entries: Entries,
): Grouped<Entries> {
  const specs = Object.entries(entries).map(([name, entry]) => [name, { ...entry, name, group }]);
  return Object.fromEntries(specs) as Grouped<Entries>;
}
