import type { Task, WorkState } from "../../state/work-state.ts";
import { isTaskOver } from "../../state/tasks.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, item, present } from "./forms.ts";
import type { Item } from "./item.ts";

/** Open tasks, without the active ones, which the situation names; and those that are done. */
export function tasks(state: WorkState): Item[] {
  const active = activeTaskIds(state);
  const listed = [...state.tasks.entries()]
    .filter(([, { id }]) => !active.has(id))
    .map(([index, task]) => {
      const base = { id: `tasks[${index}]`, from: task };
      if (!isTaskOver(task)) {
        const words = taskWords(task, state);
        const value = task.status === "in_progress" ? 45 : 26;
        return item({ ...base, section: "tasks", value, words, fit: clipped(words, titleOf(task)) });
      }
      const short = titleOf(task, task.status === "cancelled" ? " (cancelled)" : "");
      const words = present([short, evidenceOf(task)]).join("; ");
      return item({ ...base, section: "done", value: 3, words, fit: clipped(words, short) });
    });
  const phases = state.phases_completed;
  if (phases.length === 0) return listed;
  const words = `Phases completed: ${phases.join(", ")}`;
  return [...listed, item({ id: "phases_completed", section: "done", value: 6, words })];
}

/** The ids of the active tasks: the one that the state names, or else those in progress. */
export function activeTaskIds({ active_task_id: named, tasks: all }: WorkState): ReadonlySet<string> {
  if (named !== undefined) return new Set([named]);
  const running = all.filter(({ status }) => status === "in_progress").map(({ id }) => id);
  // Many at once are a list, not a focus.
  return new Set(running.length > 3 ? [] : running);
}

/** Nothing for a pending task. */
function statusWords({ status, interrupted }: Task): string {
  if (interrupted === true) return ` (${status}, but interrupted: no live agent works on it)`;
  return status === "pending" ? "" : ` (${status})`;
}

/** `#3 (blocked): Ship it; owner: ada; blocked by #1; evidence: …` */
export function taskWords(task: Task, { tasks: all }: WorkState): string {
  const { owner, blocked_by } = task;
  const waits = blocked_by.filter((id) => !all.some((each) => each.id === id && isTaskOver(each)));
  const blockers = waits.slice(0, 6).map((id) => `#${clip(id, 40)}`);
  return present([
    titleOf(task),
    owner === null ? undefined : `owner: ${clip(owner, 60)}`,
    blockers.length === 0 ? undefined : `blocked by ${blockers.join(", ")}`,
    evidenceOf(task),
  ]).join("; ");
}

function titleOf(task: Task, status: string = statusWords(task)): string {
  return `#${clip(task.id, 40)}${status}: ${task.subject}`;
}

function evidenceOf({ evidence }: Task): string | undefined {
  return evidence && `evidence: ${clip(evidence, 160)}`;
}
