import type { HandoffInput } from "../handoff.ts";
import type { TaskStatus, WorkState } from "../../state/work-state.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { clip } from "../../../core/text/visible.ts";
import { isTaskOver } from "../../state/tasks.ts";
import { capitalized, filesTouched, phaseWords, words } from "../../state/words.ts";
import { clipped, item, type ItemDraft, present } from "./forms.ts";
import type { Item } from "./item.ts";
import { PROJECT_GOAL } from "./project.ts";
import { recorderOf } from "./provenance.ts";
import { standing } from "./standing.ts";
import { hasActivity, isAvailable } from "./records.ts";
import { activeTaskIds, taskWords } from "./tasks.ts";

/** Where the work stands. */
export function situation(state: WorkState, checkpoint: HandoffInput["checkpoint"]): Item[] {
  return present([
    phase(state),
    ...activeTasks(state),
    agent(state, checkpoint),
    available(state),
    taskCounts(state),
    workspace(state),
    ...(state.activity === undefined ? [] : standing(state.activity)),
    ...session(state),
  ]);
}

function fact(id: string, value: number, said: string, extra: Partial<ItemDraft> = {}): Item {
  return item({ id, section: "situation", value, words: said, ...extra });
}

function phase({ phase: from }: WorkState): Item | undefined {
  if (from === undefined) return undefined;
  const short = `${capitalized(phaseWords(from))} (${from.status})`;
  const said = from.notes === null ? short : `${short}: ${from.notes}`;
  return fact("phase", 45, said, { fit: clipped(said, short), from });
}

function activeTasks(state: WorkState): Item[] {
  const active = activeTaskIds(state);
  const found = [...state.tasks.entries()]
    .filter(([, { id }]) => active.has(id))
    .map(([index, task]) =>
      fact(`tasks[${index}]`, 70, `Active task ${taskWords(task, state)}`, { from: task }),
    );
  // The list may have been trimmed, or the id may be wrong: say what is known.
  const id = state.active_task_id;
  return found.length > 0 || id === undefined ? found : [fact("active_task_id", 40, `Active task #${id}`)];
}

/** The name of a client alone says nothing to its own session. */
function agent(state: WorkState, { agent_id, agent_tier }: HandoffInput["checkpoint"]): Item | undefined {
  const [id, tier] = [agent_id ?? undefined, agent_tier ?? undefined];
  if (tier === undefined && (id === undefined || hasActivity(state))) return undefined;
  return fact("agent", 30, `Agent ${id ?? "unnamed"}${tier === undefined ? "" : `, tier ${tier}`}`);
}

function available({ dependencies }: WorkState): Item | undefined {
  const up = dependencies.filter(isAvailable);
  const from = up.find((each) => recorderOf(each) === "imported");
  const names = clip(up.map(({ name }) => name).join(", "), 400);
  return names === "" ? undefined : fact("dependencies", 30, `Available: ${names}`, { from });
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

const STATUSES: readonly TaskStatus[] = ["in_progress", "blocked", "pending", "completed", "cancelled"];

function taskCounts({ tasks }: WorkState): Item | undefined {
  if (tasks.length < 2) return undefined;
  const counts = STATUSES.flatMap((status) => {
    const count = tasks.filter((task) => task.status === status).length;
    return count === 0 ? [] : `${count} ${words(status)}`;
  });
  const said = `Tasks: ${counts.join(", ")}${tasks.every(isTaskOver) ? " (all done)" : ""}`;
  return fact("task_counts", 25, said, { from: tasks[0] });
}

function workspace(state: WorkState): Item | undefined {
  const from = state.workspace;
  if (from === undefined || (from.branch ?? from.head) === null) return undefined;
  const at = from.head === null ? "" : ` at ${from.head.slice(0, 8)}`;
  const dirty = from.dirty === true ? ", uncommitted changes" : "";
  const total = from.more_files === undefined ? "" : `, ${filesTouched(state)} files touched`;
  return fact("workspace", 25, `Git: ${from.branch ?? "detached"}${at}${dirty}${total}`, { from });
}

/** The session that did the work: what its agent said last, why it broke off, what still runs in the background. */
function session(state: WorkState): Item[] {
  const { error, last_message: last, background = [] } = state.session ?? {};
  const from = state.session;
  const said = hasActivity(state) ? undefined : last;
  return present([
    error && fact("session.error", 40, `The session broke off: ${error}`, { origin: "tool", from }),
    said &&
      fact("session.last_message", 32, `The agent's last message: ${said}`, {
        tier: 2,
        origin: "agent",
        from,
      }),
    ...background.map((each, index) => {
      const status = textOf(each, "status");
      const told = `Background ${textOf(each, "type") ?? "work"}${status === undefined ? "" : ` (${status})`}: ${textOf(each, "what") ?? "?"}`;
      return fact(`session.background[${index}]`, 20, told, { tier: 2, origin: "tool", from });
    }),
  ]);
}
