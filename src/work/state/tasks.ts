import { readText } from "../shape/read.ts";
import type { Task, WorkState } from "./work-state.ts";
import { CheckpointError } from "../../core/errors.ts";
import { isRecord } from "../../core/text/untrusted.ts";

/** The tasks of a state that is to be changed. It is as it was stored: what is no task stays there, and is passed over. */
const tasksIn = ({ tasks }: WorkState): Task[] => tasks.filter((task) => isRecord(task));

/** The task with this id, or an error that helps. */
export function findTask(state: WorkState, id: string): Task {
  const tasks = tasksIn(state);
  const task = tasks.find((candidate) => readText(candidate.id) === id);
  if (task !== undefined) return task;
  const message = tasks.length === 0 ? "There are no tasks yet." : `There is no task "${id}".`;
  const hint = tasks.length === 0 ? 'checkpoint task add "…"' : "checkpoint task list --all";
  throw new CheckpointError("not-found", message, { hint, details: { task: id } });
}

/** Tasks are numbered, and a number is never given twice. */
export function nextTaskId(state: WorkState): string {
  const ids = tasksIn(state).map(({ id }) => Number(id));
  const numbers = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
  return String(Math.max(0, ...numbers) + 1);
}

/** Whether a task is done or was given up. One that was imported may be anything. */
export function isTaskOver(task: unknown): boolean {
  const status = typeof task === "object" && task !== null && "status" in task ? task.status : undefined;
  return status === "completed" || status === "cancelled";
}

/** The tasks that this one waits for and that are not over. */
export function openBlockers(state: WorkState, task: Task): string[] {
  return (task.blocked_by ?? []).filter((id) =>
    tasksIn(state).some((other) => other.id === id && !isTaskOver(other)),
  );
}

/** Makes `waiting` wait for `blocker`, and both know it. */
export function link(state: WorkState, blocker: Task, waiting: Task): void {
  if (blocker === waiting || reaches(state, waiting, blocker)) throw circle(blocker, waiting);
  blocker.blocks = [...new Set([...(blocker.blocks ?? []), waiting.id])];
  waiting.blocked_by = [...new Set([...(waiting.blocked_by ?? []), blocker.id])];
  if (waiting.status === "pending" && !isTaskOver(blocker)) waiting.status = "blocked";
}

/** Whether `to` waits for `from`, directly or through others. */
function reaches(state: WorkState, from: Task, to: Task, seen = new Set<string>()): boolean {
  if (seen.has(to.id)) return false;
  seen.add(to.id);
  const before = (to.blocked_by ?? []).flatMap((id) => tasksIn(state).find((task) => task.id === id) ?? []);
  return before.some((task) => task === from || reaches(state, from, task, seen));
}

/** Ends a task: it is no longer the active one, and what waited only for it may start. Returns those. */
export function endTask(state: WorkState, task: Task, status: "completed" | "cancelled"): Task[] {
  task.status = status;
  if (state.active_task_id === task.id) delete state.active_task_id;
  const freed = tasksIn(state).filter(
    (waiting) =>
      waiting.status === "blocked" &&
      (waiting.blocked_by ?? []).includes(task.id) &&
      openBlockers(state, waiting).length === 0,
  );
  for (const waiting of freed) waiting.status = "pending";
  return freed;
}

/** The first task that can be started. */
export function nextTask({ tasks }: WorkState): Task | undefined {
  return tasks.find(({ status }) => status === "pending");
}

function circle(blocker: Task, waiting: Task): CheckpointError {
  return new CheckpointError(
    "usage",
    `Task ${waiting.id} cannot wait for task ${blocker.id}: they would wait for each other.`,
    {
      hint: "checkpoint task list",
      details: { blocker: blocker.id, waiting: waiting.id },
    },
  );
}
