import { isTaskOver, nextTask } from "../../../work/state/tasks.ts";
import type { Task, WorkState } from "../../../work/state/work-state.ts";
import { oneLine } from "../../../core/text/visible.ts";
import * as verbs from "../../../work/project/work/tasks.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { brokenLines } from "../../../work/terminal/layout.ts";
import { progress, taskLine } from "../../../work/terminal/tasks.ts";
import { count } from "../../../work/state/words.ts";

export const taskList: CommandOf<"task list"> = async (context, options, output) => {
  const { every, ...document } = await verbs.taskList(context.project, options);
  const { tasks, over } = document;
  if (every.length === 0) output.message('No tasks yet: checkpoint task add "…" adds one.');
  else if (over > 0 && !options.all)
    output.message(`${count(over, "task is", "tasks are")} done or cancelled: checkpoint task list --all`);
  output.result(document, () =>
    brokenLines(
      tasks.map((task) => taskLine(task, output.style, every)),
      output.columns,
    ),
  );
};

const setStatus =
  <Name extends "task start" | "task done" | "task cancel">(status: Task["status"]): CommandOf<Name> =>
  async (context, options, output) =>
    report(await verbs.taskStatus(context.project, { ...options, status }), output);

export const taskStart: CommandOf<"task start"> = setStatus("in_progress");
export const taskDone: CommandOf<"task done"> = setStatus("completed");
export const taskCancel: CommandOf<"task cancel"> = setStatus("cancelled");

export const taskBlock: CommandOf<"task block"> = async (context, options, output) => {
  const { trail, id, why: reason, by: blocked_by } = options;
  const input = { trail, id, reason, blocked_by, status: "blocked" } as const;
  report(await verbs.taskStatus(context.project, input), output);
};

export const taskRename: CommandOf<"task rename"> = async (context, options, output) => {
  const result = await verbs.taskRename(context.project, options);
  const { id, subject } = result.task;
  if (result.checkpoint === null) output.message(`Task ${id} already has this subject.`);
  const text = oneLine(`Task ${id}: ${subject} (was ${result.was})`);
  output.result(result, result.checkpoint === null ? "" : text);
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
  if (checkpoint === null) output.message(taskSentence(task, already));
  const done = task.status === "completed" ? ` (${progress(state.tasks)})` : "";
  const next = isTaskOver(task) ? hint(state) : "";
  output.result(document, checkpoint === null ? "" : `${taskSentence(task, now)}${done}${next}`);
}

function taskSentence({ id, subject }: Task, what: string): string {
  return oneLine(`Task ${id} ${what}: ${subject}`);
}

function hint(state: WorkState): string {
  const next = state.active_task_id === undefined ? nextTask(state) : undefined;
  return next === undefined
    ? ""
    : `\nNext: checkpoint task start ${oneLine(next.id)}  (${oneLine(next.subject)})`;
}
