import { asList, isRecord, textOf } from "../../core/text/untrusted.ts";
import type { Json, JsonObject } from "../../core/objects/json.ts";

/**
 * Machines number tasks each for itself. Of two different ones that got the same number since their lines parted, that of
 * `state` gets the next free one, so that both stay.
 */
export function renumberTasks(before: JsonObject, state: JsonObject, other: JsonObject): JsonObject {
  const [were, theirs] = [tasksOf(before), tasksOf(other)];
  const ours = tasksOf(state);
  let last = Math.max(0, ...[were, ours, theirs].flatMap((tasks) => [...tasks.keys()].map(numberOf)));
  const renamed = new Map<Json, string>();
  for (const [id, task] of ours) {
    const same = theirs.get(id);
    if (were.has(id) || same === undefined || same["subject"] === task["subject"]) continue;
    renamed.set(id, String((last += 1)));
  }
  if (renamed.size === 0) return state;
  const nameOf = (id: Json) => renamed.get(id) ?? id;
  const tasks = asList(state["tasks"]).map((task) =>
    isRecord(task) ? mapped(task as JsonObject, nameOf) : task,
  ) as Json[];
  const active = textOf(state, "active_task_id");
  return { ...state, tasks, ...(active !== undefined && { active_task_id: nameOf(active) }) };
}

function mapped(task: JsonObject, nameOf: (id: Json) => Json): JsonObject {
  const lists = ["blocks", "blocked_by"].filter((key) => Array.isArray(task[key]));
  const links = lists.map((key) => [key, (task[key] as Json[]).map(nameOf)] as const);
  return { ...task, id: nameOf(task["id"] as Json), ...Object.fromEntries(links) };
}

function tasksOf(state: JsonObject): Map<string, JsonObject> {
  const tasks = asList(state["tasks"]).filter(isRecord) as JsonObject[];
  return new Map(tasks.flatMap((task) => (typeof task["id"] === "string" ? [[task["id"], task]] : [])));
}

const numberOf = (id: string) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);
