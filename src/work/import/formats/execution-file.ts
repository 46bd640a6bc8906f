import { FIELDS } from "../../state/fields.ts";
import type { Task, TaskStatus } from "../../state/work-state.ts";
import { isRecord } from "../../../core/text/untrusted.ts";
import { wrong, type ForeignFields } from "../foreign-fields.ts";
import { stamp, type ImportOrigin } from "../origin.ts";
import type { ForeignWork } from "./pipeline.ts";

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

/** What we call a status of such a file; undefined for a word that it does not use. */
export function taskStatusOf(word: string): TaskStatus | undefined {
  const known = word.toLowerCase();
  return Object.hasOwn(STATUS, known) ? STATUS[known] : undefined;
}

/** `execution.json`: tasks, as a list or by their ids, with status, attempts, times and output files. */
export function readExecutionFile(fields: ForeignFields, origin: ImportOrigin): ForeignWork {
  const active = fields.text("active_task_id", ...FIELDS.active_task_id.otherNames);
  const workflow = fields.text("workflow_id");
  const tasks = readTasks(fields, origin);
  const failed = tasks.filter((task) => isRecord(task.imported) && task.imported?.status === "failed");
  const parts = {
    tasks,
    ...(active !== null && { active_task_id: active }),
    ...(failed.length > 0 && {
      blockers: failed.map(({ id }) => stamp({ text: `Task ${id} failed.` }, origin)),
    }),
    variables: workflow === null ? {} : { workflow_id: workflow },
  };
  return { parts };
}

/** A task with what its file says besides what we know: attempts, times, a status that we call otherwise. */
type ImportedTask = Task & { imported?: { status?: string } };

/** The field `tasks`, a list or an object with their ids as keys, as tasks of a work state. */
export function readTasks(fields: ForeignFields, origin: ImportOrigin): ImportedTask[] {
  const items = fields
    .keyedObjects("tasks")
    .map(([key, task]) => readTask(typeof key === "string" ? key : idOf(task, key, origin), task, origin));
  const ids = new Set<string>();
  for (const [index, { id }] of items.entries()) {
    if (ids.has(id)) throw wrong(origin.source, ["tasks", index, "id"], "an id that no other task has", id);
    ids.add(id);
  }
  return items;
}

function idOf(task: ForeignFields, index: number, { source }: ImportOrigin): string {
  const id = task.text("id", "task_id");
  if (id === null) throw wrong(source, ["tasks", index, "id"], "an id", null);
  return id;
}

function readTask(id: string, task: ForeignFields, origin: ImportOrigin): ImportedTask {
  const word = task.text("status");
  const status = task.word("status", STATUS) ?? "pending";
  const known = {
    id,
    subject: task.text("subject", "title", "name", "description") ?? id,
    status,
    owner: task.text("owner", "agent", "assigned_to"),
    blocks: task.texts("blocks"),
    blocked_by: task.texts("blocked_by", "depends_on", "dependencies"),
  };
  const evidence = task.text("evidence", "output", "output_file", "output_path");
  return stamp(
    {
      ...task.rest(),
      ...known,
      ...(evidence !== null && { evidence }),
      ...(word !== null && word !== status && { imported: { status: word } }),
    },
    origin,
  );
}
