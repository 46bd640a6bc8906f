import type { Task, WorkState } from "../../state/work-state.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { TaskUpdate, TaskListUpdate } from "../events/session-event.ts";
import { withoutSuperseded } from "./inherited-tasks.ts";
import { isSame } from "./set.ts";

const MOST_TASKS = 1000;

/** Applies the task lists of clients. Tasks from elsewhere are never touched. */
export function reduceTasks(state: WorkState, at: string, facts: readonly TaskListUpdate[]): void {
  const results = facts.map((list) => reduceList(state, at, list));
  if (results.includes(true)) state.tasks = withoutSuperseded(state.tasks);
}

/** Returns whether the list has changed. An unchanged task keeps its time. */
function reduceList(state: WorkState, at: string, { list, tasks, isWhole }: TaskListUpdate): boolean {
  const by = `tool:${list}`;
  const isOurs = (task: Task) => textOf(task, "by") === by;
  const taken = new Set(
    state.tasks.filter((task) => !isOurs(task)).flatMap((task) => textOf(task, "id") ?? []),
  );
  // A task from elsewhere may have the same number.
  const idOf = (id: string) => (taken.has(id) ? `${list}-${id}` : id);
  const known = new Map(state.tasks.filter(isOurs).map((task) => [task.id, task]));
  let changed = false;
  for (const fact of tasks) {
    const id = idOf(fact.id);
    const before = known.get(id);
    if (fact.status === "deleted") changed = known.delete(id) || changed;
    else {
      const after = merge(before, { ...fact, id }, { idOf, isWhole });
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
  fact: TaskUpdate,
  { idOf, isWhole }: { idOf: (id: string) => string; isWhole: boolean },
): Task {
  const linked = (old: string[], named: readonly string[] | undefined) =>
    named === undefined ? old : [...new Set([...(isWhole ? [] : old), ...named.map(idOf)])];
  const task = before ?? {
    id: fact.id,
    subject: `Task ${fact.id}`,
    status: "pending",
    owner: null,
    blocks: [],
    blocked_by: [],
  };
  // One that only repeats the subject says nothing.
  const description = fact.description === fact.subject ? undefined : fact.description;
  return {
    ...task,
    subject: fact.subject ?? task.subject,
    ...(description === undefined ? {} : { description }),
    status: fact.status === undefined || fact.status === "deleted" ? task.status : fact.status,
    owner: fact.owner === undefined ? task.owner : fact.owner,
    blocks: linked(task.blocks, fact.blocks),
    blocked_by: linked(task.blocked_by, fact.blocked_by),
  };
}
