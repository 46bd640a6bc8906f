import { AGENTS } from "./agents.ts";
import { KEEPING } from "./keeping.ts";
import { RUNS } from "./runs.ts";
import { SAVING } from "./saving.ts";
import { SESSIONS } from "./sessions.ts";
import { SETUP } from "./setup.ts";
import { WORKFLOWS } from "./workflows.ts";
import { TASKS, WORK } from "./work.ts";

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
