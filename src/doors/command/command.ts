import type { FEED } from "../../work/project/feed/verbs.ts";
import type { HISTORY } from "../../work/project/history/verbs.ts";
import type { KEEPING } from "../../work/project/maintenance/verbs.ts";
import type { SESSIONS } from "../../work/project/reading/session-verbs.ts";
import type { READING } from "../../work/project/reading/verbs.ts";
import type { SAVING } from "../../work/project/saving/verbs.ts";
import type { CORRECTIONS } from "../../work/project/work/correction-verbs.ts";
import type { TASKS } from "../../work/project/work/task-verbs.ts";
import type { WORK } from "../../work/project/work/verbs.ts";
import type { CommandFunction, EntryOptions } from "../../work/terminal/command.ts";
import type { AGENTS } from "./table/agents.ts";
import type { SETUP } from "./table/setup.ts";

/** The entries of the commands of this folder. */
type Entries = typeof SAVING &
  typeof READING &
  typeof SESSIONS &
  typeof FEED &
  typeof WORK &
  typeof CORRECTIONS &
  typeof TASKS &
  typeof HISTORY &
  typeof KEEPING &
  typeof AGENTS &
  typeof SETUP;

/** A command of this folder, by its name. */
export type CommandOf<Name extends keyof Entries> = CommandFunction<Entries[Name]>;

/** What it is called with. */
export type CommandOptions<Name extends keyof Entries> = EntryOptions<Entries[Name]>;
