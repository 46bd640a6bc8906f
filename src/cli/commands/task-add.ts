import type { Task } from "../../checkpoints/work-state.ts";
import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful, signed } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { TASKS } from "../table/work.ts";
import { findTask, link, nextTaskId } from "../../checkpoints/tasks.ts";

/** Add a task */
export async function taskAdd(
  context: Context,
  options: OptionsOf<(typeof TASKS)["task add"]>,
  output: Output,
): Promise<void> {
  let added: Task | undefined;
  const { checkpoint } = await edit(context, options, output, {
    trigger: "task",
    fresh: { subject: meaningful(options.subject, "The subject"), owner: options.owner ?? null },
    change: (state, { subject, owner }) => {
      const links = { blocks: [], blocked_by: [] };
      const task: Task = {
        id: nextTaskId(state),
        subject,
        status: "pending",
        owner,
        ...links,
        ...signed(context, options.agent),
      };
      const blockers = options.blockedBy.map((id) => findTask(state, id));
      const waiting = options.blocks.map((id) => findTask(state, id));
      state.tasks.push(task);
      for (const blocker of blockers) link(state, blocker, task);
      for (const other of waiting) link(state, task, other);
      added = task;
    },
  });
  const task = added as unknown as Task;
  const waits = task.blocked_by.length > 0 ? ` (waits for ${task.blocked_by.join(", ")})` : "";
  output.result({ checkpoint, task }, `Task ${task.id} added: ${oneLine(task.subject)}${waits}`);
}
