import { isTaskOver } from "../../state/tasks.ts";
import type { Task, WorkState } from "../../state/work-state.ts";
import type { TaskUpdate } from "../events/session-event.ts";

/** Marks the ids of tasks from an earlier session: this one's client has numbers of its own. */
const INHERITED = "before-";
const HANDED_OVER_LIST = "tool:handed-over";

/** The open tasks of the earlier work, under ids that are free here. */
export function inheritedTasks(mine: WorkState, left: WorkState): Task[] {
  const open = left.tasks.filter((task) => !isTaskOver(task));
  const taken = new Set(mine.tasks.map(({ id }) => id));
  const names = new Map<string, string>();
  for (const { id } of open) {
    const name = `${INHERITED}${id.replace(INHERITED, "")}`;
    let free = name;
    for (let more = 2; taken.has(free); more++) free = `${name}-${more}`;
    taken.add(free);
    names.set(id, free);
  }
  const renamed = (ids: readonly string[]) => ids.flatMap((id) => names.get(id) ?? []);
  const own = new Set(mine.tasks.map(subjectOf));
  return open
    .filter((task) => !own.has(subjectOf(task)))
    .map((task) => ({
      ...task,
      id: names.get(task.id) as string,
      blocks: renamed(task.blocks),
      blocked_by: renamed(task.blocked_by),
      ...(task.by?.startsWith("tool:") ? { by: HANDED_OVER_LIST } : {}),
    }));
}

/** An inherited task gives way to the same task on the session's own list. */
export function withoutSuperseded(tasks: readonly Task[]): Task[] {
  const isInherited = (task: Task) => task.id.startsWith(INHERITED);
  const own = new Set(tasks.filter((task) => !isInherited(task)).map(subjectOf));
  return tasks.filter((task) => !isInherited(task) || !own.has(subjectOf(task)));
}

/** A task's subject in normal form: tasks with equal subjects are the same task. */
export function subjectOf({ subject = "" }: Pick<TaskUpdate, "subject">): string {
  return subject
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, " ")
    .replace(/[.!]+$/, "");
}
