import { isTaskOver, nextTask } from "../../checkpoints/tasks.ts";
import type { Task, WorkState } from "../../checkpoints/work-state.ts";
import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/work/tasks.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import type { TASKS } from "../table/work.ts";
import { progress, taskLine } from "../view/tasks.ts";
import { count } from "../view/words.ts";

/** List the tasks */
export const taskList: CommandOf<(typeof TASKS)["task list"]> = async (context, options, output) => {
  const { every, ...document } = await verbs.taskList(context.project, options);
  const { tasks, over } = document;
  if (every.length === 0) output.message('No tasks yet: checkpoint task add "…" adds one.');
  else if (over > 0 && !options.all)
    output.message(`${count(over, "task is", "tasks are")} done or cancelled: checkpoint task list --all`);
  output.result(document, () => tasks.map((task) => taskLine(task, output.style, every)).join("\n"));
};

/** Add a task */
export const taskAdd: CommandOf<(typeof TASKS)["task add"]> = async (context, options, output) => {
  const { blockedBy: blocked_by, ...input } = options;
  const result = await verbs.taskAdd(context.project, { ...input, blocked_by });
  const { id, subject, blocked_by: waits } = result.task;
  const words = waits.length > 0 ? ` (waits for ${waits.join(", ")})` : "";
  output.result(result, `Task ${id} added: ${oneLine(subject)}${words}`);
};

/** Start a task: it becomes the active one */
export const taskStart: CommandOf<(typeof TASKS)["task start"]> = async (context, options, output) => {
  report(await verbs.taskStatus(context.project, { ...options, status: "in_progress" }), output);
};

/** Finish a task */
export const taskDone: CommandOf<(typeof TASKS)["task done"]> = async (context, options, output) => {
  report(await verbs.taskStatus(context.project, { ...options, status: "completed" }), output);
};

/** Say that a task waits */
export const taskBlock: CommandOf<(typeof TASKS)["task block"]> = async (context, options, output) => {
  const { trail, id, why: reason, by: blocked_by } = options;
  const input = { trail, id, reason, blocked_by, status: "blocked" } as const;
  report(await verbs.taskStatus(context.project, input), output);
};

/** Word the subject of a task anew */
export const taskRename: CommandOf<(typeof TASKS)["task rename"]> = async (context, options, output) => {
  const result = await verbs.taskRename(context.project, options);
  const { id, subject } = result.task;
  if (result.checkpoint === null) output.message(`Task ${id} is called that already.`);
  const text = oneLine(`Task ${id}: ${subject} (was ${result.was})`);
  output.result(result, result.checkpoint === null ? "" : text);
};

/** Give a task up */
export const taskCancel: CommandOf<(typeof TASKS)["task cancel"]> = async (context, options, output) => {
  report(await verbs.taskStatus(context.project, { ...options, status: "cancelled" }), output);
};

/** What was done to a task, and what is said when that had been done before. */
const WORDS = {
  in_progress: ["started", "is already the active one"],
  blocked: ["blocked", "is already blocked"],
  completed: ["done", "is already done"],
  cancelled: ["cancelled", "is already cancelled"],
} as const;

function report({ state, ...document }: verbs.TaskStatusResult, output: Output): void {
  const { checkpoint, task } = document;
  const [now, already] = WORDS[task.status as keyof typeof WORDS];
  if (checkpoint === null) output.message(sentence(task, already));
  const done = task.status === "completed" ? ` (${progress(state.tasks)})` : "";
  const next = isTaskOver(task) ? hint(state) : "";
  output.result(document, checkpoint === null ? "" : `${sentence(task, now)}${done}${next}`);
}

function sentence({ id, subject }: Task, what: string): string {
  return oneLine(`Task ${id} ${what}: ${subject}`);
}

function hint(state: WorkState): string {
  const next = state.active_task_id === undefined ? nextTask(state) : undefined;
  return next === undefined
    ? ""
    : `\nNext: checkpoint task start ${oneLine(next.id)}  (${oneLine(next.subject)})`;
}
