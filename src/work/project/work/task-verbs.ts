import { oneLine } from "../../../core/text/visible.ts";
import type { Task, TaskStatus } from "../../state/work-state.ts";
import { MAX_TEXT, TRAIL, WRITING, choice, flag, required, text, texts } from "../../verbs/command-words.ts";
import * as json from "../../verbs/json-schema.ts";
import { COMMITTED, open } from "../../verbs/json-schema.ts";
import type { UntypedVerb, VerbEntry } from "../../verbs/spec.ts";

const STATUSES = [
  "pending",
  "in_progress",
  "blocked",
  "completed",
  "cancelled",
] as const satisfies readonly TaskStatus[];

const ONE_TASK = { id: required("ID", "The task's id, as in checkpoint task list") } as const;

/** States may have been imported, so that the parts of a task are only likely to be what they should be. */
const task = open({ id: json.text, subject: json.anything, status: json.text });

const withStatus = () => open({ checkpoint: COMMITTED, task, active_task_id: json.nullableText });

/** The agent's to-do list. */
export const TASKS = {
  "task add": {
    about: "Add a task",
    examples: [
      ['checkpoint task add "Write the login test"', "it gets the next number"],
      ['checkpoint task add "Deploy" --blocked-by 1,2', "that waits for others"],
    ],
    arguments: {
      subject: required("SUBJECT", "What is to be done, in quotes", {
        told: "What is to be done.",
        max: MAX_TEXT,
      }),
    },
    options: {
      owner: text("NAME", "Whose task it is", { told: "" }),
      blocks: texts("ID,ID", "Tasks that wait for this one", {
        told: "Ids of tasks that wait for this one.",
      }),
      blocked_by: texts("ID,ID", "Tasks that this one waits for", {
        told: "Ids of tasks that this one waits for.",
      }),
      ...WRITING,
    },
    result: () => open({ checkpoint: COMMITTED, task }),
    writes: "trail",
    tool: {
      name: "task_add",
      title: "Add a task",
      description: "Add a task to the list that survives this context.",
      effect: "adds",
    },
    run: () => import("./tasks.ts"),
    show: ({ task: { id, subject, blocked_by: waits } }: { task: Task }) =>
      `Task ${id} added: ${oneLine(subject)}${waits.length > 0 ? ` (waits for ${waits.join(", ")})` : ""}`,
  },
  taskStatus: {
    command: "task start, task done, task block and task cancel each set one status",
    wire: {
      id: required("ID", "The task's id, as tasks lists it"),
      status: { ...choice(STATUSES, "The new status", { told: "" }), value: "STATUS" },
      owner: text("NAME", "Who works on it"),
      evidence: text("TEXT", "What shows that it is done: a test that passed, a file, a commit"),
      reason: text("TEXT", "What it waits for, or why it was given up"),
      blocked_by: texts("ID", "Tasks that it waits for from now on"),
      ...TRAIL,
    },
    writes: "trail",
    tool: {
      name: "task_status",
      title: "Set a task's status",
      description: "Say that a task was started, is done (with what shows it), waits, or was given up.",
      effect: "sets",
    },
    run: () => import("./tasks.ts"),
  },
  "task start": {
    about: "Start a task: it becomes the active one",
    examples: [["checkpoint task start 2", ""]],
    arguments: ONE_TASK,
    options: { owner: text("NAME", "Who does it"), ...WRITING },
    result: withStatus,
  },
  "task done": {
    about: "Finish a task",
    examples: [
      ["checkpoint task done 2", ""],
      ['checkpoint task done 2 --evidence "npm test: 214 passed"', "with what shows it"],
    ],
    arguments: ONE_TASK,
    options: { evidence: text("TEXT", "What shows that it is done"), ...WRITING },
    result: withStatus,
  },
  "task block": {
    about: "Mark a task as waiting",
    examples: [['checkpoint task block 2 --why "Waiting for the review"', ""]],
    arguments: ONE_TASK,
    options: {
      by: texts("ID,ID", "Tasks that it waits for"),
      why: text("TEXT", "What it waits for, in words"),
      ...WRITING,
    },
    result: withStatus,
  },
  "task rename": {
    about: "Reword the subject of a task",
    examples: [['checkpoint task rename 2 "Write the login test"', ""]],
    arguments: { ...ONE_TASK, subject: required("SUBJECT", "What is to be done, in quotes") },
    options: WRITING,
    result: () => open({ checkpoint: COMMITTED, task, was: json.text }),
    writes: "trail",
  },
  "task cancel": {
    about: "Cancel a task",
    examples: [["checkpoint task cancel 2", "it stays in the list, as cancelled"]],
    arguments: ONE_TASK,
    options: WRITING,
    result: withStatus,
  },
  "task list": {
    about: "List the tasks",
    examples: [
      ["checkpoint task list", "what is open"],
      ["checkpoint task list --all", "also what is done or cancelled"],
    ],
    options: { all: flag("Also those that are done or cancelled"), ...TRAIL },
    result: () =>
      open({
        trail: json.text,
        active_task_id: json.nullableText,
        tasks: json.list(json.anything),
        over: json.described("How many are done or cancelled.", json.whole(0)),
      }),
    tool: {
      name: "tasks",
      title: "List the tasks",
      description: "The tasks of the work, with their status, and the one that is under way.",
      effect: "looks",
    },
    run: () => import("./tasks.ts"),
  },
} as const satisfies Record<string, VerbEntry | UntypedVerb>;
