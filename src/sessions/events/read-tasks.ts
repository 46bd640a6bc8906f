import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { personalFolder } from "../../capture/files/folders.ts";
import { readBounded } from "../../capture/files/read-bounded.ts";
import type { TaskStatus } from "../../checkpoints/work-state.ts";
import { capped } from "../../text/shorten.ts";
import { asText, own, parseJson, textOf } from "../../text/untrusted.ts";
import type { TaskFact, TaskFacts } from "./facts.ts";
import type { HookEvent } from "./hook-event.ts";
import type { RawCall } from "./read-calls.ts";
import { succeeded } from "./tool-response.ts";

/** The lists that clients keep. */
const CLAUDE_TASKS = "claude-tasks";
const TODOS = "todos";
const PLAN = "plan";

const MOST_TASKS = 500;
const LARGEST_FILE = 64 * 1024;
const LONGEST_SUBJECT = 500;
const LONGEST_DESCRIPTION = 2000;

/** What tool calls say of tasks, in their order. A call that failed changed nothing. */
export function tasksOfCalls(calls: readonly RawCall[]): TaskFacts[] {
  return calls.filter((call) => succeeded(call) !== false).flatMap((call) => tasksOfCall(call) ?? []);
}

function tasksOfCall({ tool, input, response }: RawCall): TaskFacts | undefined {
  if (tool === "TaskCreate") return created(input, response);
  if (tool === "TaskUpdate") return updated(input);
  if (tool === "TodoWrite" || tool === "write_todos")
    return wholeList(TODOS, own(input, "todos"), "content", "description");
  return tool === "update_plan" ? wholeList(PLAN, own(input, "plan"), "step") : undefined;
}

function created(input: unknown, response: unknown): TaskFacts | undefined {
  const task = own(response, "task");
  const id = textOf(task, "id");
  const subject = textOf(task, "subject") ?? textOf(input, "subject");
  // Without its number a task cannot be told from others; the client's own file will have it.
  if (id === undefined || subject === undefined) return undefined;
  return oneTask({ id, subject, description: textOf(input, "description"), status: "pending" });
}

function updated(input: unknown): TaskFacts | undefined {
  const id = textOf(input, "taskId", "task_id", "id");
  if (id === undefined) return undefined;
  return oneTask({
    id,
    subject: textOf(input, "subject"),
    description: textOf(input, "description"),
    status: statusOf(textOf(input, "status")),
    owner: textOf(input, "owner"),
    blocks: idsOf(own(input, "addBlocks")),
    blocked_by: idsOf(own(input, "addBlockedBy")),
  });
}

/** Clients without numbers replace the whole list: the position is the number. */
function wholeList(list: string, items: unknown, ...names: readonly string[]): TaskFacts | undefined {
  if (!Array.isArray(items)) return undefined;
  const tasks = items.slice(0, MOST_TASKS).flatMap((item, index): TaskFact[] => {
    const subject = textOf(item, ...names);
    const status = statusOf(textOf(item, "status")) ?? "pending";
    return subject === undefined ? [] : [bounded({ id: String(index + 1), subject, status })];
  });
  return { list, tasks, isWhole: true };
}

/** What a TaskCreated or TaskCompleted event says. */
export function taskOfEvent({ name, fields }: HookEvent): TaskFacts[] {
  const id = textOf(fields, "task_id");
  if (id === undefined) return [];
  return [
    oneTask({
      id,
      subject: textOf(fields, "task_subject"),
      description: textOf(fields, "task_description"),
      status: name === "TaskCompleted" ? "completed" : undefined,
      owner: textOf(fields, "teammate_name"),
    }),
  ];
}

/**
 * The tasks of a session as Claude Code keeps them, one file each: always up to date, however they were changed. An
 * empty result says nothing: the client also deletes lists that are done. Never throws.
 */
export function readTaskFiles({ client, sessionId }: HookEvent, env: Environment): TaskFacts[] {
  const folder = client === "claude" ? taskFolder(sessionId, env) : undefined;
  if (folder === undefined) return [];
  const tasks = namesIn(folder).flatMap((name) => taskOfFile(parse(join(folder, name))) ?? []);
  tasks.sort((a, b) => Number(a.id) - Number(b.id) || (a.id < b.id ? -1 : 1));
  return tasks.length === 0 ? [] : [{ list: CLAUDE_TASKS, tasks, isWhole: true }];
}

function taskFolder(sessionId: string, env: Environment): string | undefined {
  const config = personalFolder(env, "CLAUDE_CONFIG_DIR", ".claude");
  // The id becomes part of a path, and must not lead anywhere else.
  if (config === undefined || !/^[A-Za-z0-9_-]{1,100}$/.test(sessionId)) return undefined;
  return join(config, "tasks", sessionId);
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[A-Za-z0-9_-]{1,100}\.json$/.test(name))
      .slice(0, MOST_TASKS);
  } catch {
    return [];
  }
}

/** Undefined while the file is being written: the next event finds it complete. */
function parse(path: string): unknown {
  return parseJson(readBounded(path, LARGEST_FILE).bytes?.toString("utf8") ?? "");
}

/** A task as the client keeps it in a file of its own. */
function taskOfFile(content: unknown): TaskFact | undefined {
  const id = textOf(content, "id");
  const subject = textOf(content, "subject");
  if (id === undefined || subject === undefined) return undefined;
  return bounded({
    id,
    subject,
    description: textOf(content, "description"),
    status: statusOf(textOf(content, "status")) ?? "pending",
    owner: textOf(content, "owner") ?? null,
    blocks: idsOf(own(content, "blocks") ?? []),
    blocked_by: idsOf(own(content, "blockedBy") ?? []),
  });
}

function oneTask(task: TaskFact): TaskFacts {
  return { list: CLAUDE_TASKS, tasks: [bounded(task)], isWhole: false };
}

function bounded({ id, subject, description, owner, ...rest }: TaskFact): TaskFact {
  return {
    ...rest,
    id: id.slice(0, 100),
    subject: subject === undefined ? undefined : capped(subject, LONGEST_SUBJECT),
    description: description === undefined ? undefined : capped(description, LONGEST_DESCRIPTION),
    owner: owner?.slice(0, 200) ?? owner,
  };
}

function idsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.slice(0, 100).flatMap((id) => asText(id)?.slice(0, 100) ?? []);
}

const STATUSES: Readonly<Record<string, TaskStatus | "deleted">> = {
  pending: "pending",
  in_progress: "in_progress",
  blocked: "blocked",
  completed: "completed",
  cancelled: "cancelled",
  canceled: "cancelled",
  deleted: "deleted",
};

function statusOf(text: string | undefined): TaskStatus | "deleted" | undefined {
  return text !== undefined && Object.hasOwn(STATUSES, text) ? STATUSES[text] : undefined;
}
