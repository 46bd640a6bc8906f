import type { Task, WorkState } from "../../state/work-state.ts";
import type { TaskUpdate, TaskListUpdate } from "../events/session-event.ts";
import { withoutSuperseded } from "./inherited-tasks.ts";
import { isSame } from "./set.ts";

const MOST_TASKS = 1000;

/** Applies the task lists of clients. Tasks from elsewhere are never touched. */
export function reduceTasks(state: WorkState, at: string, lists: readonly TaskListUpdate[]): void {
  const changed = lists.filter((list) => reduceList(state, at, list));
  if (changed.length > 0) state.tasks = withoutSuperseded(state.tasks);
}

/** Returns whether the list has changed. An unchanged task keeps its time. */
function reduceList(state: WorkState, at: string, { list, tasks, isWhole }: TaskListUpdate): boolean {
  const by = `tool:${list}`;
  const isOurs = (task: Task) => task.by === by;
  const taken = new Set(state.tasks.filter((task) => !isOurs(task)).map(({ id }) => id));
  // A task from elsewhere may have the same number.
  const idOf = (id: string) => (taken.has(id) ? `${list}-${id}` : id);
  const known = new Map(state.tasks.filter(isOurs).map((task) => [task.id, task]));
  let changed = false;
  for (const update of tasks) {
    const id = idOf(update.id);
    const before = known.get(id);
    if (update.status === "deleted") changed = known.delete(id) || changed;
    else {
      const after = merge(before, { ...update, id }, { idOf, isWhole });
      if (before !== undefined && isSame(before, after)) continue;
      known.set(id, { ...after, captured: true, at, by });
      changed = true;
    }
  }
  if (isWhole) {
    const listed = new Set(tasks.map(({ id }) => idOf(id)));
    for (const id of known.keys()) if (!listed.has(id)) changed = known.delete(id) || changed;
  }
  if (!changed) return false;
  // Each in its place; new ones at the end.
  const kept = state.tasks.flatMap((task) => (isOurs(task) ? (known.get(task.id) ?? []) : task));
  state.tasks = [...new Set([...kept, ...known.values()])].slice(0, MOST_TASKS);
  return true;
}

/** Absent fields stay as they were; an unknown task starts as pending. */
function merge(
  before: Task | undefined,
  update: TaskUpdate,
  { idOf, isWhole }: { idOf: (id: string) => string; isWhole: boolean },
): Task {
  const linked = (old: string[], named: readonly string[] | undefined) =>
    named === undefined ? old : [...new Set([...(isWhole ? [] : old), ...named.map(idOf)])];
  const task = before ?? {
    id: update.id,
    subject: `Task ${update.id}`,
    status: "pending",
    owner: null,
    blocks: [],
    blocked_by: [],
  };
  // One that only repeats the subject says nothing.
  const description = update.description === update.subject ? undefined : update.description;
  return {
    ...task,
    subject: update.subject ?? task.subject,
    ...(description === undefined ? {} : { description }),
    status: update.status === undefined || update.status === "deleted" ? task.status : update.status,
    owner: update.owner === undefined ? task.owner : update.owner,
    blocks: linked(task.blocks, update.blocks),
    blocked_by: linked(task.blocked_by, update.blocked_by),
  };
}
