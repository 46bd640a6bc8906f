import { asList } from "../../text/untrusted.ts";
import { markInterrupted, readerOf } from "../../sessions/clients/interrupted.ts";
import type { Context } from "../context.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { TASKS } from "../table/work.ts";
import { count } from "../view/words.ts";
import { isOver, taskLine } from "../view/tasks.ts";

/** List the tasks */
export async function taskList(
  context: Context,
  options: OptionsOf<(typeof TASKS)["task list"]>,
  output: Output,
): Promise<void> {
  const { trail, folder } = await openToRead(context, options, output);
  const asking = { reader: readerOf(trail.name, context), folder, now: context.now() };
  const state = await markInterrupted(await trail.load(), asking);
  const all = asList(state.tasks);
  const tasks = options.all ? all : all.filter((task) => !isOver(task));
  const over = all.length - tasks.length;
  if (all.length === 0) output.message('No tasks yet: checkpoint task add "…" adds one.');
  else if (over > 0)
    output.message(`${count(over, "task is", "tasks are")} done or cancelled: checkpoint task list --all`);
  output.result({ trail: trail.name, active_task_id: state.active_task_id ?? null, tasks, over }, () =>
    tasks.map((task) => taskLine(task, output.style, all)).join("\n"),
  );
}
