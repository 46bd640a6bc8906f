import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, item, present, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";

/** Open tasks, without the active ones, which the situation names; and those that are done. */
export function tasks(state: unknown): Item[] {
  const [active, done] = [activeTaskIds(state), doneTaskIds(state)];
  const listed = asList(own(state, "tasks")).flatMap((task, index) => {
    if (sentenceOf(task) === undefined || active.has(textOf(task, "id") ?? "")) return [];
    const base = { id: `tasks[${index}]`, from: task };
    if (isOpen(task)) {
      const words = taskWords(task, done);
      const value = statusOf(task) === "in_progress" ? 45 : 26;
      return [item({ ...base, section: "tasks", value, words, fit: clipped(words, titleOf(task)) })];
    }
    const short = titleOf(task, /^cancel/i.test(statusOf(task)) ? " (cancelled)" : "");
    const words = present([short, evidenceOf(task)]).join("; ");
    return [item({ ...base, section: "done", value: 3, words, fit: clipped(words, short) })];
  });
  const phases = present(asList(own(state, "phases_completed")).map((phase) => sentenceOf(phase)));
  if (phases.length === 0) return listed;
  const words = `Phases completed: ${phases.join(", ")}`;
  return [...listed, item({ id: "phases_completed", section: "done", value: 6, words })];
}

/** The ids of the active tasks: the one that the state names, or else those in progress. */
export function activeTaskIds(state: unknown): ReadonlySet<string> {
  const named = asText(own(state, "active_task_id"));
  if (named !== undefined) return new Set([named]);
  const running = taskIds(state, (task) => statusOf(task) === "in_progress");
  // Many at once are a list, not a focus.
  return new Set(running.length > 3 ? [] : running);
}

export function doneTaskIds(state: unknown): ReadonlySet<string> {
  return new Set(taskIds(state, (task) => !isOpen(task)));
}

function taskIds(state: unknown, isWanted: (task: unknown) => boolean): string[] {
  const wanted = asList(own(state, "tasks")).filter(isWanted);
  return present(wanted.map((task) => textOf(task, "id")));
}

export function statusOf(task: unknown): string {
  return textOf(task, "status") ?? "pending";
}

/** Nothing for a pending task. */
function statusWords(task: unknown): string {
  const status = statusOf(task);
  if (own(task, "interrupted") === true) return ` (${status}, but interrupted: no live agent works on it)`;
  return status === "pending" ? "" : ` (${status})`;
}

export function isOpen(task: unknown): boolean {
  return !/^(completed|complete|done|cancelled|canceled)$/i.test(statusOf(task));
}

/** `#3 (blocked): Ship it; owner: ada; blocked by #1; evidence: …` */
export function taskWords(task: unknown, done: ReadonlySet<string>): string {
  const owner = textOf(task, "owner");
  const waits = present(asList(own(task, "blocked_by")).map(asText)).filter((id) => !done.has(id));
  const blockers = waits.slice(0, 6).map((id) => `#${clip(id, 40)}`);
  return present([
    titleOf(task),
    owner === undefined ? undefined : `owner: ${clip(owner, 60)}`,
    blockers.length === 0 ? undefined : `blocked by ${blockers.join(", ")}`,
    evidenceOf(task),
  ]).join("; ");
}

function titleOf(task: unknown, status: string = statusWords(task)): string {
  return `#${clip(textOf(task, "id") ?? "?", 40)}${status}: ${sentenceOf(task, "subject") ?? "?"}`;
}

function evidenceOf(task: unknown): string | undefined {
  const evidence = textOf(task, "evidence");
  return evidence === undefined ? undefined : `evidence: ${clip(evidence, 160)}`;
}
