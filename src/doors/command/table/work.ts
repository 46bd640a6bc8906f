import type { CommandEntry } from "../../../work/verbs/spec.ts";
import {
  TRAIL,
  WRITING,
  flag,
  number,
  optional,
  required,
  text,
  texts,
} from "../../../work/verbs/command-words.ts";

/** What people and agents say about the work. Each is one commit. */
export const WORK = {
  goal: {
    about: "Say what the work is for, or show it",
    examples: [
      ['checkpoint goal "Ship the login page"', "set it"],
      ['checkpoint goal "Ship it" --done-when "All tests pass"', "with what must be true in the end"],
      ["checkpoint goal", "show it"],
    ],
    arguments: { text: optional("TEXT", "The goal, in quotes") },
    options: { doneWhen: texts("TEXT", "What must be true in the end; repeat it for more"), ...WRITING },
  },
  next: {
    about: "Say what is to be done next, or show it",
    examples: [
      ['checkpoint next "Write the test for a wrong password"', "set it"],
      ["checkpoint next", "show it"],
    ],
    arguments: { text: optional("TEXT", "The next action, in quotes") },
    options: WRITING,
  },
  constraint: {
    about: "Add a rule that every later agent must keep",
    examples: [['checkpoint constraint "Never touch the production database"', "kept word for word"]],
    arguments: { text: required("TEXT", "The rule, in quotes") },
    options: WRITING,
  },
  decide: {
    about: "Record a decision and its reason",
    examples: [['checkpoint decide "Use SQLite" --why "Nothing to install"', "what, and why"]],
    arguments: { text: required("TEXT", "What was decided, in quotes") },
    options: { why: text("TEXT", "Why"), ...WRITING },
  },
  block: {
    about: "Record what the work waits for",
    examples: [['checkpoint block "No access to the staging server"', "until unblocked"]],
    arguments: { text: required("TEXT", "What is missing, in quotes") },
    options: WRITING,
  },
  unblock: {
    about: "Remove a blocker",
    examples: [
      ["checkpoint unblock 1", "by its number in checkpoint status"],
      ['checkpoint unblock "staging"', "by some of its words"],
    ],
    arguments: { which: required("WHICH", "Its number, or some of its words") },
    options: WRITING,
  },
  "phase start": {
    about: "Start a phase",
    examples: [
      ['checkpoint phase start "Agent Bootstrapping" --number 5', "a name, and a number if you count"],
    ],
    arguments: { name: required("NAME", "The phase's name") },
    options: {
      number: number(0, "Its number"),
      notes: text("TEXT", "What it is about"),
      ...WRITING,
    },
  },
  "phase complete": {
    about: "Finish the current phase",
    examples: [
      ["checkpoint phase complete", "done"],
      ["checkpoint phase complete --output docs/design.md", "with the file that came out of it"],
    ],
    options: { output: text("FILE", "A file that the phase produced"), ...WRITING },
  },
  "phase fail": {
    about: "Say that the current phase failed",
    examples: [['checkpoint phase fail --why "The API is gone"', "and why"]],
    options: { why: text("TEXT", "Why"), ...WRITING },
  },
  "output add": {
    about: "Record what came out of the work: evidence, a report, a build",
    examples: [
      ["checkpoint output add evidence evd-7 --action terraform", "what it is, and how it is found again"],
      ["checkpoint output add build 42 --action npm --failed", "one that failed"],
    ],
    arguments: {
      type: required("TYPE", "What kind of thing it is"),
      id: required("NAME", "Its id, file or address, to find it again"),
    },
    options: {
      action: text("TEXT", "What was done"),
      failed: flag("It did not succeed"),
      ...WRITING,
    },
    details: "The newest 10 are kept.",
  },
  set: {
    about: "Set a variable, which stays until unset",
    file: "set",
    examples: [
      ["checkpoint set region eu-west-1", "saved at once"],
      [`checkpoint set limits --parse '{"cpu": 2}'`, "JSON instead of text"],
      ["checkpoint set notes --file notes.md", "the content of a file"],
      ["git diff | checkpoint set patch -", "what comes in on stdin"],
    ],
    arguments: {
      key: required("KEY", "The variable's name"),
      value: optional("VALUE", "Its value, kept as text; - is stdin"),
    },
    options: {
      parse: flag("Read the value as JSON"),
      file: text("FILE", "Take the value from this file"),
      ...WRITING,
    },
  },
  unset: {
    about: "Remove a variable",
    examples: [["checkpoint unset region", "gone from the next checkpoint on"]],
    arguments: { key: required("KEY", "The variable's name") },
    options: WRITING,
  },
} as const satisfies Record<string, CommandEntry>;

const ONE_TASK = { id: required("ID", "The task's id, as in checkpoint task list") } as const;

/** The agent's to-do list. */
export const TASKS = {
  "task add": {
    about: "Add a task",
    examples: [
      ['checkpoint task add "Write the login test"', "it gets the next number"],
      ['checkpoint task add "Deploy" --blocked-by 1,2', "that waits for others"],
    ],
    arguments: { subject: required("SUBJECT", "What is to be done, in quotes") },
    options: {
      owner: text("NAME", "Whose task it is"),
      blocks: texts("ID,ID", "Tasks that wait for this one"),
      blockedBy: texts("ID,ID", "Tasks that this one waits for"),
      ...WRITING,
    },
  },
  "task start": {
    about: "Start a task: it becomes the active one",
    examples: [["checkpoint task start 2", ""]],
    arguments: ONE_TASK,
    options: { owner: text("NAME", "Who does it"), ...WRITING },
  },
  "task done": {
    about: "Finish a task",
    examples: [
      ["checkpoint task done 2", ""],
      ['checkpoint task done 2 --evidence "npm test: 214 passed"', "with what shows it"],
    ],
    arguments: ONE_TASK,
    options: { evidence: text("TEXT", "What shows that it is done"), ...WRITING },
  },
  "task block": {
    about: "Say that a task waits",
    examples: [['checkpoint task block 2 --why "Waiting for the review"', ""]],
    arguments: ONE_TASK,
    options: {
      by: texts("ID,ID", "Tasks that it waits for"),
      why: text("TEXT", "What it waits for, in words"),
      ...WRITING,
    },
  },
  "task rename": {
    about: "Reword the subject of a task",
    examples: [['checkpoint task rename 2 "Write the login test"', ""]],
    arguments: { ...ONE_TASK, subject: required("SUBJECT", "What is to be done, in quotes") },
    options: WRITING,
  },
  "task cancel": {
    about: "Cancel a task",
    examples: [["checkpoint task cancel 2", "it stays in the list, as cancelled"]],
    arguments: ONE_TASK,
    options: WRITING,
  },
  "task list": {
    about: "List the tasks",
    examples: [
      ["checkpoint task list", "what is open"],
      ["checkpoint task list --all", "also what is done or cancelled"],
    ],
    options: { all: flag("Also those that are done or cancelled"), ...TRAIL },
  },
} as const satisfies Record<string, CommandEntry>;
