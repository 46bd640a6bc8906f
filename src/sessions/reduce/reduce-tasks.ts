import type { Task, WorkState } from "../../checkpoints/work-state.ts";
import { textOf } from "../../text/untrusted.ts";
import type { TaskFact, TaskFacts } from "../events/facts.ts";
import { withoutSuperseded } from "./inherited-tasks.ts";
import { isSame } from "./set.ts";

const MOST_TASKS = 1000;

/** Takes in the lists that clients keep. Tasks that came from elsewhere are never touched. */
export function reduceTasks(state: WorkState, at: string, facts: readonly TaskFacts[]): void {
  const results = facts.map((list) => reduceList(state, at, list));
  if (results.includes(true)) state.tasks = withoutSuperseded(state.tasks);
}

/** Returns whether the list has changed: a task that has not keeps its time. */
function reduceList(state: WorkState, at: string, { list, tasks, isWhole }: TaskFacts): boolean {
  const by = `tool:${list}`;
  const isOurs = (task: Task) => textOf(task, "by") === by;
  const taken = new Set(
    state.tasks.filter((task) => !isOurs(task)).flatMap((task) => textOf(task, "id") ?? []),
  );
  // Somebody else's task may have the same number.
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
      known.set(id, { ...after, at, by });
      changed = true;
    }
  }
  if (isWhole) {
    const listed = new Set(tasks.map(({ id }) => idOf(id)));
    for (const id of known.keys()) if (!listed.has(id)) changed = known.delete(id) || changed;
  }
  if (changed) state.tasks = inPlace(state.tasks, isOurs, known);
  return changed;
}

interface Merging {
  readonly idOf: (id: string) => string;
  readonly isWhole: boolean;
}

/** What is not said stays as it was; a task that was never heard of starts as pending. */
function merge(before: Task | undefined, fact: TaskFact, { idOf, isWhole }: Merging): Task {
  const linked = (old: readonly string[], named: readonly string[]) => [
    ...new Set([...(isWhole ? [] : old), ...named.map(idOf)]),
  ];
  const task = before ?? {
    id: fact.id,
    subject: `Task ${fact.id}`,
    status: "pending",
    owner: null,
    blocks: [],
    blocked_by: [],
  };
  return {
    ...task,
    ...(fact.subject === undefined ? {} : { subject: fact.subject }),
    ...(fact.status === undefined || fact.status === "deleted" ? {} : { status: fact.status }),
    ...(fact.owner === undefined ? {} : { owner: fact.owner }),
    ...(fact.blocks === undefined ? {} : { blocks: linked(task.blocks, fact.blocks) }),
    ...(fact.blocked_by === undefined ? {} : { blocked_by: linked(task.blocked_by, fact.blocked_by) }),
  };
}

/** Each task where it was; new ones at the end. */
function inPlace(
  tasks: readonly Task[],
  isOurs: (task: Task) => boolean,
  known: ReadonlyMap<string, Task>,
): Task[] {
  const left = new Map(known);
  const kept = tasks.flatMap((task) => {
    if (!isOurs(task)) return [task];
    const now = left.get(task.id);
    left.delete(task.id);
    return now === undefined ? [] : [now];
  });
  return [...kept, ...left.values()].slice(0, MOST_TASKS);
}
