import { asList, asRecord, asText, own, textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { capitalized, filesTouched, phaseWords } from "../../state/words.ts";
import { clipped, item, type ItemDraft, present, sentenceOf } from "./forms.ts";
import type { Item } from "./item.ts";
import { PROJECT_GOAL } from "./project.ts";
import { recorderOf } from "./provenance.ts";
import { standing } from "./standing.ts";
import { hasActivity, isAvailable } from "./records.ts";
import { activeTaskIds, doneTaskIds, isOpen, statusOf, taskWords } from "./tasks.ts";

/** Where the work stands. */
export function situation(state: unknown, checkpoint: unknown): Item[] {
  return present([
    phase(state),
    ...activeTasks(state),
    agent(state, checkpoint),
    available(state),
    taskCounts(state),
    workspace(state),
    ...standing(state),
    ...session(state),
  ]);
}

function fact(id: string, value: number, words: string, extra: Partial<ItemDraft> = {}): Item {
  return item({ id, section: "situation", value, words, ...extra });
}

function phase(state: unknown): Item | undefined {
  const from = own(state, "phase");
  const name = sentenceOf(from);
  if (name === undefined) return undefined;
  const status = textOf(from, "status");
  const title = capitalized(phaseWords({ name, number: textOf(from, "number") }));
  const short = `${title}${status === undefined ? "" : ` (${status})`}`;
  const words = present([short, textOf(from, "notes")]).join(": ");
  return fact("phase", 45, words, { fit: clipped(words, short), from });
}

function activeTasks(state: unknown): Item[] {
  const [active, done] = [activeTaskIds(state), doneTaskIds(state)];
  const found = asList(own(state, "tasks")).flatMap((task, index) =>
    active.has(textOf(task, "id") ?? "")
      ? [fact(`tasks[${index}]`, 70, `Active task ${taskWords(task, done)}`, { from: task })]
      : [],
  );
  // The list may have been trimmed, or the id may be wrong: say what is known.
  const id = asText(own(state, "active_task_id"));
  return found.length > 0 || id === undefined ? found : [fact("active_task_id", 40, `Active task #${id}`)];
}

/** The name of a client alone says nothing to its own session. */
function agent(state: unknown, checkpoint: unknown): Item | undefined {
  const [id, tier] = [textOf(checkpoint, "agent_id"), textOf(checkpoint, "agent_tier")];
  if (tier === undefined && (id === undefined || hasActivity(state))) return undefined;
  return fact("agent", 30, `Agent ${id ?? "unnamed"}${tier === undefined ? "" : `, tier ${tier}`}`);
}

function available(state: unknown): Item | undefined {
  const up = asList(own(state, "dependencies")).filter(isAvailable);
  const names = present(up.map((each) => textOf(each, "name"))).join(", ");
  const from = up.find((each) => recorderOf(each) === "imported");
  return names === "" ? undefined : fact("dependencies", 30, `Available: ${clip(names, 400)}`, { from });
}

/** Says so if nothing tells what the work is for, or what comes next. */
export function unknowns(items: readonly Item[]): Item[] {
  const has = (...sections: readonly string[]) => items.some(({ section }) => sections.includes(section));
  const missing = present([
    has("goal", "now") || items.some(({ id }) => id === PROJECT_GOAL) ? undefined : "goal",
    has("next_action", "now") ? undefined : "next action",
  ]);
  return missing.length === 0 ? [] : [fact("not_recorded", 25, `Not recorded: ${missing.join(", ")}`)];
}

const STATUSES = ["in_progress", "blocked", "pending", "completed", "cancelled"];

function taskCounts(state: unknown): Item | undefined {
  const tasks = asList(own(state, "tasks")).filter((task) => asRecord(task) !== undefined);
  const counts = STATUSES.flatMap((status) => {
    const count = tasks.filter((task) => statusOf(task) === status).length;
    return count === 0 ? [] : [`${count} ${status.replace("_", " ")}`];
  });
  if (tasks.length < 2 || counts.length === 0) return undefined;
  return fact("task_counts", 25, `Tasks: ${counts.join(", ")}${tasks.some(isOpen) ? "" : " (all done)"}`);
}

function workspace(state: unknown): Item | undefined {
  const from = own(state, "workspace");
  const [branch, head] = [textOf(from, "branch"), textOf(from, "head")];
  if (branch === undefined && head === undefined) return undefined;
  const at = head === undefined ? "" : ` at ${head.slice(0, 8)}`;
  const dirty = own(from, "dirty") === true ? ", uncommitted changes" : "";
  const total = own(from, "more_files") === undefined ? "" : `, ${filesTouched(state)} files touched`;
  return fact("workspace", 25, `Git: ${branch ?? "detached"}${at}${dirty}${total}`, { from });
}

/** The session that did the work: what its agent said last, why it broke off, what still runs in the background. */
function session(state: unknown): Item[] {
  const from = own(state, "session");
  const [byTool, byAgent] = [{ origin: "tool", from } as const, { origin: "agent", from } as const];
  const error = textOf(from, "error");
  const said = hasActivity(state) ? undefined : textOf(from, "last_message");
  const running = asList(own(from, "background")).map((each, index) => {
    const status = textOf(each, "status");
    const words = `Background ${textOf(each, "type") ?? "work"}${status === undefined ? "" : ` (${status})`}: ${textOf(each, "what") ?? "?"}`;
    return fact(`session.background[${index}]`, 20, words, { tier: 2, ...byTool });
  });
  return present([
    error === undefined ? undefined : fact("session.error", 40, `The session broke off: ${error}`, byTool),
    said === undefined
      ? undefined
      : fact("session.last_message", 32, `The agent's last message: ${said}`, { tier: 2, ...byAgent }),
    ...running,
  ]);
}
