import type { Json } from "../../../objects/json.ts";
import type { Task, TaskStatus, WorkState } from "../../work-state.ts";
import { Fields, isObject, wrong } from "../fields.ts";
import type { Origin } from "../read-import.ts";

const STATUS: Readonly<Record<string, TaskStatus>> = {
  pending: "pending",
  queued: "pending",
  ready: "pending",
  running: "in_progress",
  in_progress: "in_progress",
  blocked: "blocked",
  waiting: "blocked",
  failed: "blocked",
  complete: "completed",
  completed: "completed",
  done: "completed",
  cancelled: "cancelled",
  skipped: "cancelled",
};

/** `execution.json`: tasks, as a list or by their ids, with status, attempts, times and output files. */
export function readExecutionFile(json: Json, fields: Fields, origin: Origin): Partial<WorkState> {
  const active = fields.text("active_task_id", "current_task_id", "current_task");
  const items = itemsOf((json as { tasks?: Json }).tasks, fields, origin.source);
  const tasks = items.map(([id, task]) => readTask(id, task, origin));
  const twice = tasks.find((task, index) => tasks.findIndex(({ id }) => id === task.id) !== index);
  if (twice) throw wrong(origin.source, ["tasks"], `each id only once, but "${twice.id}" twice`, null);
  const failed = items.filter(([, task]) => task.text("status")?.toLowerCase() === "failed");
  const workflow = fields.text("workflow_id");
  return {
    tasks,
    ...(active !== null && { active_task_id: active }),
    ...(failed.length > 0 && {
      blockers: failed.map(([id]) => ({ text: `Task ${id} failed.`, at: origin.at, by: origin.by })),
    }),
    variables: workflow === null ? {} : { workflow_id: workflow },
  };
}

function itemsOf(tasks: Json | undefined, fields: Fields, source: string): [id: string, task: Fields][] {
  if (isObject(tasks)) {
    const byId = Object.entries(fields.object("tasks"));
    return byId.map(([id, task]) => [id, new Fields(task, source, ["tasks", id])]);
  }
  return fields.objects("tasks").map((task, index) => {
    const id = task.text("id", "task_id");
    if (id === null) throw wrong(source, ["tasks", index, "id"], "an id", null);
    return [id, task];
  });
}

/** What a task says besides what we know (attempts, times) stays on it. */
function readTask(id: string, task: Fields, { at, by }: Origin): Task {
  const known = {
    id,
    subject: task.text("subject", "title", "name", "description") ?? id,
    status: task.word("status", STATUS) ?? "pending",
    owner: task.text("owner", "agent", "assigned_to"),
    blocks: task.texts("blocks"),
    blocked_by: task.texts("blocked_by", "depends_on", "dependencies"),
  };
  const evidence = task.text("evidence", "output", "output_file", "output_path");
  return { ...known, ...(evidence !== null && { evidence }), ...task.rest(), at, by };
}
