import type { Item } from "./item.ts";
import { recorderOf } from "./provenance.ts";
import { asList, asRecord, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { capitalized, filesTouched, phaseWords } from "../../state/words.ts";
import { clipped, item, type ItemDraft, sentenceOf } from "./forms.ts";
import { PROJECT_GOAL } from "./project.ts";
import { hasActivity, isAvailable } from "./records.ts";
import { activeTaskIds, doneTaskIds, isOpen, statusOf, taskWords } from "./tasks.ts";

/** Where the work stands. */
export function situation(state: unknown, checkpoint: unknown): Item[] {
  const facts: (Item | undefined)[] = [
    phase(state),
    ...activeTasks(state),
    agent(state, checkpoint),
    available(state),
    taskCounts(state),
    workspace(state),
    ...session(state),
  ];
  return facts.filter((fact) => fact !== undefined);
}

function fact(id: string, value: number, words: string, extra: Partial<ItemDraft> = {}): Item {
  return item({ id, section: "situation", tier: 1, value, words, ...extra });
}

function phase(state: unknown): Item | undefined {
  const found = own(state, "phase");
  const name = sentenceOf(found);
  if (name === undefined) return undefined;
  const status = textOf(found, "status");
  const notes = textOf(found, "notes");
  const title = capitalized(phaseWords({ name, number: textOf(found, "number") }));
  const words = `${title}${status === undefined ? "" : ` (${status})`}`;
  const all = notes === undefined ? words : `${words}: ${notes}`;
  return fact("phase", 45, all, { fit: clipped(all, words), from: found });
}

function activeTasks(state: unknown): Item[] {
  const tasks = asList(own(state, "tasks"));
  const active = activeTaskIds(state);
  const done = doneTaskIds(state);
  const ids = asText(own(state, "active_task_id"));
  const found = tasks.flatMap((task, index) =>
    active.has(textOf(task, "id") ?? "")
      ? [fact(`tasks[${index}]`, 70, `Active task ${taskWords(task, done)}`, { from: task })]
      : [],
  );
  // The list may have been trimmed, or the id may be wrong: say what is known.
  return found.length > 0 || ids === undefined ? found : [fact("active_task_id", 40, `Active task #${ids}`)];
}

/** The name of a client alone says nothing to its own session. */
function agent(state: unknown, checkpoint: unknown): Item | undefined {
  const id = textOf(checkpoint, "agent_id");
  const tier = textOf(checkpoint, "agent_tier");
  if (tier === undefined && (id === undefined || hasActivity(state))) return undefined;
  return fact("agent", 30, `Agent ${id ?? "unnamed"}${tier === undefined ? "" : `, tier ${tier}`}`);
}

function available(state: unknown): Item | undefined {
  const up = asList(own(state, "dependencies")).filter(isAvailable);
  const names = up.flatMap((each) => textOf(each, "name") ?? []);
  const from = up.find((each) => recorderOf(each) === "imported");
  return names.length === 0
    ? undefined
    : fact("dependencies", 30, `Available: ${clip(names.join(", "), 400)}`, { from });
}

/** Says so if nothing tells what the work is for, or what comes next. */
export function unknowns(items: readonly Item[]): Item[] {
  const has = (...sections: readonly string[]) => items.some(({ section }) => sections.includes(section));
  const missing = [
    ...(has("goal", "now") || items.some(({ id }) => id === PROJECT_GOAL) ? [] : ["goal"]),
    ...(has("next_action", "now") ? [] : ["next action"]),
  ];
  return missing.length === 0 ? [] : [fact("not_recorded", 25, `Not recorded: ${missing.join(", ")}`)];
}

const STATUSES = ["in_progress", "blocked", "pending", "completed", "cancelled"];

function taskCounts(state: unknown): Item | undefined {
  const tasks = asList(own(state, "tasks")).filter((task) => asRecord(task) !== undefined);
  if (tasks.length < 2) return undefined;
  const counts = STATUSES.flatMap((status) => {
    const count = tasks.filter((task) => statusOf(task) === status).length;
    return count === 0 ? [] : [`${count} ${status.replace("_", " ")}`];
  });
  const done = tasks.every((task) => !isOpen(task)) ? " (all done)" : "";
  return counts.length === 0 ? undefined : fact("task_counts", 25, `Tasks: ${counts.join(", ")}${done}`);
}

function workspace(state: unknown): Item | undefined {
  const found = own(state, "workspace");
  const branch = textOf(found, "branch");
  const head = textOf(found, "head");
  if (branch === undefined && head === undefined) return undefined;
  const dirty = own(found, "dirty") === true ? ", uncommitted changes" : "";
  const at = head === undefined ? "" : ` at ${head.slice(0, 8)}`;
  const total = own(found, "more_files") === undefined ? "" : `, ${filesTouched(state)} files touched`;
  return fact("workspace", 25, `Git: ${branch ?? "detached"}${at}${dirty}${total}`, { from: found });
}

/** The session that did the work: what its agent said last, why it broke off, what still runs in the background. */
function session(state: unknown): Item[] {
  const from = own(state, "session");
  const error = textOf(from, "error");
  const said = hasActivity(state) ? undefined : textOf(from, "last_message");
  const running = asList(own(from, "background")).map((each) => {
    const status = textOf(each, "status");
    return `Background ${textOf(each, "type") ?? "work"}${status === undefined ? "" : ` (${status})`}: ${textOf(each, "what") ?? "?"}`;
  });
  return [
    ...(error === undefined
      ? []
      : [fact("session.error", 40, `The session broke off: ${error}`, { ...FROM_TOOL, from })]),
    ...(said === undefined
      ? []
      : [fact("session.last_message", 32, `The agent's last message: ${said}`, { ...FROM_AGENT, from })]),
    ...running.map((words, index) =>
      fact(`session.background[${index}]`, 20, words, { tier: 2, ...FROM_TOOL, from }),
    ),
  ];
}

const FROM_TOOL = { origin: "tool" } as const;
const FROM_AGENT = { tier: 2, origin: "agent" } as const;
