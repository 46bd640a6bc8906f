import type { Item } from "./item.ts";
import { asList, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { clipped, item, sentenceOf } from "./forms.ts";

const RUNNING_VALUE = 45;
const WAITING_VALUE = 26;

/** Open tasks, without the active ones, which the situation names; and those that are done. */
export function tasks(state: unknown): Item[] {
  const all = asList(own(state, "tasks"));
  const active = activeTaskIds(state);
  const done = doneTaskIds(state);
  const listed = all.flatMap((task, index) => {
    if (sentenceOf(task) === undefined || active.has(textOf(task, "id") ?? "")) return [];
    return [isOpen(task) ? openTask(task, index, done) : doneTask(task, index)];
  });
  return [...listed, ...phasesCompleted(state)];
}

/** The ids of the active tasks: the one that the state names, or else those in progress. */
export function activeTaskIds(state: unknown): ReadonlySet<string> {
  const named = asText(own(state, "active_task_id"));
  if (named !== undefined) return new Set([named]);
  const running = asList(own(state, "tasks")).filter((task) => statusOf(task) === "in_progress");
  // Many at once are a list, not a focus.
  return new Set(running.length > 3 ? [] : running.flatMap((task) => textOf(task, "id") ?? []));
}

export function doneTaskIds(state: unknown): ReadonlySet<string> {
  const done = asList(own(state, "tasks")).filter((task) => !isOpen(task));
  return new Set(done.flatMap((task) => textOf(task, "id") ?? []));
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
  const parts = [titleOf(task)];
  const owner = textOf(task, "owner");
  if (owner !== undefined) parts.push(`owner: ${clip(owner, 60)}`);
  const waits = openBlockers(task, done);
  if (waits.length > 0) parts.push(`blocked by ${waits.slice(0, 6).join(", ")}`);
  const evidence = textOf(task, "evidence");
  if (evidence !== undefined) parts.push(`evidence: ${clip(evidence, 160)}`);
  return parts.join("; ");
}

function titleOf(task: unknown): string {
  return `${idOf(task)}${statusWords(task)}: ${sentenceOf(task, "subject") ?? "?"}`;
}

function openTask(task: unknown, index: number, done: ReadonlySet<string>): Item {
  const words = taskWords(task, done);
  const value = statusOf(task) === "in_progress" ? RUNNING_VALUE : WAITING_VALUE;
  return item({
    id: `tasks[${index}]`,
    section: "tasks",
    tier: 2,
    value,
    words,
    fit: clipped(words, titleOf(task)),
    from: task,
  });
}

function doneTask(task: unknown, index: number): Item {
  const evidence = textOf(task, "evidence");
  const cancelled = /^cancel/i.test(statusOf(task)) ? " (cancelled)" : "";
  const short = `${idOf(task)}${cancelled}: ${sentenceOf(task, "subject") ?? "?"}`;
  const words = evidence === undefined ? short : `${short}; evidence: ${clip(evidence, 160)}`;
  return item({
    id: `tasks[${index}]`,
    section: "done",
    tier: 3,
    value: 3,
    words,
    fit: clipped(words, short),
    from: task,
  });
}

function phasesCompleted(state: unknown): Item[] {
  const phases = asList(own(state, "phases_completed")).flatMap((phase) => sentenceOf(phase) ?? []);
  if (phases.length === 0) return [];
  const words = `Phases completed: ${phases.join(", ")}`;
  return [item({ id: "phases_completed", section: "done", tier: 3, value: 6, words })];
}

function openBlockers(task: unknown, done: ReadonlySet<string>): string[] {
  return asList(own(task, "blocked_by"))
    .flatMap((id) => asText(id) ?? [])
    .filter((id) => !done.has(id))
    .map((id) => `#${clip(id, 40)}`);
}

function idOf(task: unknown): string {
  return `#${clip(textOf(task, "id") ?? "?", 40)}`;
}
