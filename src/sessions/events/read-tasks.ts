import type { TaskStatus } from "../../checkpoints/work-state.ts";
import { asList, asText, own, textOf } from "../../text/untrusted.ts";
import type { TaskFact, TaskFacts } from "./facts.ts";
import type { HookEvent } from "./hook-event.ts";
import { outcomeOf } from "./tool-response.ts";
import type { RawCall } from "./read-calls.ts";
import { capped } from "../../text/shorten.ts";

/** The lists that clients keep. */
export const CLAUDE_TASKS = "claude-tasks";
const TODOS = "todos";
const PLAN = "plan";

const MOST_TASKS = 500;
const LONGEST_SUBJECT = 500;

/** What tool calls say of tasks, in their order. A call that failed changed nothing. */
export function tasksOfCalls(calls: readonly RawCall[]): TaskFacts[] {
  return calls.filter((call) => outcomeOf(call) !== false).flatMap((call) => tasksOfCall(call) ?? []);
}

function tasksOfCall({ tool, input, response }: RawCall): TaskFacts | undefined {
  if (tool === "TaskCreate") return created(input, response);
  if (tool === "TaskUpdate") return updated(input);
  if (tool === "TodoWrite" || tool === "write_todos")
    return wholeList(TODOS, own(input, "todos"), "content", "description");
  return tool === "update_plan" ? wholeList(PLAN, own(input, "plan"), "step") : undefined;
}

function created(input: unknown, response: unknown): TaskFacts | undefined {
  const id = textOf(own(response, "task"), "id");
  const subject = textOf(own(response, "task"), "subject") ?? textOf(input, "subject");
  // Without its number a task cannot be told from others; the client's own file will have it.
  if (id === undefined || subject === undefined) return undefined;
  return some([{ id: id.slice(0, 100), subject: capped(subject, LONGEST_SUBJECT), status: "pending" }]);
}

function updated(input: unknown): TaskFacts | undefined {
  const id = textOf(input, "taskId", "task_id", "id");
  if (id === undefined) return undefined;
  const subject = textOf(input, "subject");
  const owner = textOf(input, "owner");
  const status = statusOf(textOf(input, "status"));
  return some([
    {
      id: id.slice(0, 100),
      ...(subject === undefined ? {} : { subject: capped(subject, LONGEST_SUBJECT) }),
      ...(status === undefined ? {} : { status }),
      ...(owner === undefined ? {} : { owner: owner.slice(0, 200) }),
      ...ids("blocks", own(input, "addBlocks")),
      ...ids("blocked_by", own(input, "addBlockedBy")),
    },
  ]);
}

/** Clients without numbers replace their list as a whole: the place in it is the number. */
function wholeList(list: string, items: unknown, ...names: readonly string[]): TaskFacts | undefined {
  if (!Array.isArray(items)) return undefined;
  const tasks = items.slice(0, MOST_TASKS).flatMap((item, index): TaskFact[] => {
    const subject = textOf(item, ...names);
    const status = statusOf(textOf(item, "status")) ?? "pending";
    return subject === undefined
      ? []
      : [{ id: String(index + 1), subject: capped(subject, LONGEST_SUBJECT), status }];
  });
  return { list, tasks, isWhole: true };
}

/** What a TaskCreated or TaskCompleted event says. */
export function taskOfEvent({ name, fields }: HookEvent): TaskFacts[] {
  const id = textOf(fields, "task_id");
  const subject = textOf(fields, "task_subject");
  if (id === undefined) return [];
  const owner = textOf(fields, "teammate_name");
  return [
    some([
      {
        id: id.slice(0, 100),
        ...(subject === undefined ? {} : { subject: capped(subject, LONGEST_SUBJECT) }),
        ...(name === "TaskCompleted" ? { status: "completed" as const } : {}),
        ...(owner === undefined ? {} : { owner: owner.slice(0, 200) }),
      },
    ]),
  ];
}

/** A task as the client keeps it in a file of its own. */
export function taskOfFile(content: unknown): TaskFact | undefined {
  const id = textOf(content, "id");
  const subject = textOf(content, "subject");
  if (id === undefined || subject === undefined) return undefined;
  return {
    id: id.slice(0, 100),
    subject: capped(subject, LONGEST_SUBJECT),
    status: statusOf(textOf(content, "status")) ?? "pending",
    owner: textOf(content, "owner")?.slice(0, 200) ?? null,
    ...ids("blocks", own(content, "blocks") ?? []),
    ...ids("blocked_by", own(content, "blockedBy") ?? []),
  };
}

function some(tasks: readonly TaskFact[]): TaskFacts {
  return { list: CLAUDE_TASKS, tasks, isWhole: false };
}

function ids(name: "blocks" | "blocked_by", value: unknown): Pick<TaskFact, "blocks" | "blocked_by"> {
  if (!Array.isArray(value)) return {};
  const texts = asList(value)
    .slice(0, 100)
    .flatMap((id) => asText(id)?.slice(0, 100) ?? []);
  return name === "blocks" ? { blocks: texts } : { blocked_by: texts };
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
