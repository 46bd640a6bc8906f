import { join } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { namesIn } from "../../machine/folders.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { capped } from "../../../core/text/shorten.ts";
import { asRecord, asText, own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { CLIENTS } from "../../clients/clients.ts";
import type { TaskUpdate, TaskListUpdate } from "./session-event.ts";
import type { HookEvent } from "./hook-event.ts";
import type { RawCall } from "./read-calls.ts";
import { succeeded } from "./tool-response.ts";

/** The list whose tasks have numbers of their own; others are named after the tool. */
const CLAUDE_TASKS = "claude-tasks";

const MOST_TASKS = 500;
const LARGEST_FILE = 64 * 1024;
const LONGEST_SUBJECT = 500;
const LONGEST_DESCRIPTION = 2000;

/** What tool calls say of tasks, in their order. A call that failed changed nothing. */
export function tasksOfCalls(calls: readonly RawCall[]): TaskListUpdate[] {
  return calls.filter((call) => succeeded(call) !== false).flatMap(tasksOfCall);
}

function tasksOfCall({ tool, input, response }: RawCall): TaskListUpdate[] {
  // Without its number a task cannot be told from others; the client's own file will have it.
  if (tool === "TaskCreate")
    return oneTask({ ...asRecord(input), ...asRecord(own(response, "task")), status: "pending" });
  if (tool === "TaskUpdate") return oneTask(input);
  const [list, name] = WHOLE_LISTS.get(tool) ?? [];
  return list === undefined || name === undefined ? [] : wholeList(list, own(input, list), name);
}

/** Tools that write a whole list: its name, and that of a task's subject. */
const WHOLE_LISTS = new Map([
  ["TodoWrite", ["todos", "content"]],
  ["write_todos", ["todos", "description"]],
  ["update_plan", ["plan", "step"]],
]);

/** What a TaskCreated or TaskCompleted event says. */
export function taskOfEvent({ name, fields }: HookEvent): TaskListUpdate[] {
  return oneTask({ ...fields, status: name === "TaskCompleted" ? "completed" : undefined });
}

function oneTask(told: unknown): TaskListUpdate[] {
  const task = readTask(told);
  return task === undefined ? [] : [{ list: CLAUDE_TASKS, tasks: [task], isWhole: false }];
}

/** Clients without numbers replace the whole list: the position is the number. */
function wholeList(list: string, items: unknown, name: string): TaskListUpdate[] {
  if (!Array.isArray(items)) return [];
  const tasks = items.slice(0, MOST_TASKS).flatMap((item, index) => {
    const [subject, status = "pending"] = [textOf(item, name), textOf(item, "status")];
    return subject === undefined ? [] : (readTask({ id: index + 1, subject, status }) ?? []);
  });
  return [{ list, tasks, isWhole: true }];
}

/**
 * The tasks of a session as its client keeps them, one file each: always up to date, however they were changed. An
 * empty result says nothing: the client also deletes lists that are done. Never throws.
 */
export function readTaskFiles({ client, sessionId }: HookEvent, env: Environment): TaskListUpdate[] {
  // The id becomes part of a path, and must not lead anywhere else.
  const isPlain = /^[A-Za-z0-9_-]{1,100}$/.test(sessionId);
  const folder = isPlain ? CLIENTS[client].taskFolder?.(env, sessionId) : undefined;
  if (folder === undefined) return [];
  const names = namesIn(folder).filter((name) => /^[A-Za-z0-9_-]{1,100}\.json$/.test(name));
  // A file that is being written says nothing: the next event finds it complete.
  const tasks = names.slice(0, MOST_TASKS).flatMap((name) => {
    const content = parseJson(readBounded(join(folder, name), LARGEST_FILE).bytes?.toString("utf8") ?? "");
    const task = textOf(content, "subject") && readTask({ ...WHOLE, ...asRecord(content) });
    return task || [];
  });
  tasks.sort((a, b) => Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : 1));
  return tasks.length === 0 ? [] : [{ list: CLAUDE_TASKS, tasks, isWhole: true }];
}

/** What a file leaves out is not set. */
const WHOLE = { status: "pending", owner: null, blocks: [], blockedBy: [] };

/** A task as calls, events and files tell it; undefined if it has no number. */
function readTask(told: unknown): TaskUpdate | undefined {
  const id = textOf(told, "id", "taskId", "task_id")?.slice(0, 100);
  if (id === undefined) return undefined;
  const subject = textOf(told, "subject", "task_subject");
  const description = textOf(told, "description", "task_description");
  const owner = textOf(told, "owner", "teammate_name")?.slice(0, 200);
  return {
    id,
    subject: subject && capped(subject, LONGEST_SUBJECT),
    description: description && capped(description, LONGEST_DESCRIPTION),
    status: statusOf(textOf(told, "status")),
    owner: own(told, "owner") === null ? null : owner,
    blocks: idsOf(own(told, "blocks") ?? own(told, "addBlocks")),
    blocked_by: idsOf(own(told, "blockedBy") ?? own(told, "addBlockedBy")),
  };
}

function idsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, 100).flatMap((id) => asText(id)?.slice(0, 100) ?? []);
}

const STATUSES = new Set(["pending", "in_progress", "blocked", "completed", "cancelled", "deleted"]);

function statusOf(text: string | undefined): TaskUpdate["status"] {
  const status = text === "canceled" ? "cancelled" : text;
  return status !== undefined && STATUSES.has(status) ? (status as TaskUpdate["status"]) : undefined;
}
