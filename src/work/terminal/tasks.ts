import { isTaskOver } from "../state/tasks.ts";
import type { Task } from "../state/work-state.ts";
import { oneLine } from "../../core/text/visible.ts";
import type { Style } from "./output.ts";
import { statusSign } from "./signs.ts";

export function taskLine(task: Task, style: Style, all: readonly Task[] = []): string {
  const { id, subject, status, owner, reason } = task;
  const over = all.filter(isTaskOver).map((other) => other.id);
  const waits = task.blocked_by.filter((blocker) => !over.includes(blocker));
  const facts = [
    task.interrupted && "interrupted: no live agent works on it",
    owner && `@${oneLine(owner)}`,
    task.captured && "captured",
    !isTaskOver(task) && waits.length > 0 && `waits for ${oneLine(waits.join(", "))}`,
    status === "blocked" && reason && oneLine(reason),
  ];
  const tail = facts.filter(Boolean).join(", ");
  const line = `${oneLine(id)}  ${oneLine(subject)}${tail === "" ? "" : `  ${style.dim(tail)}`}`;
  return `${statusSign(status, style)} ${line}`;
}

/** `2 of 5 done, 1 cancelled` */
export function progress(tasks: readonly Task[]): string {
  const having = (wanted: Task["status"]) => tasks.filter(({ status }) => status === wanted).length;
  const cancelled = having("cancelled");
  const done = `${having("completed")} of ${tasks.length - cancelled} done`;
  return cancelled === 0 ? done : `${done}, ${cancelled} cancelled`;
}
