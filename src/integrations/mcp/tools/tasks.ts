import * as z from "zod";
import { endTask, findTask, link, nextTaskId, openBlockers } from "../../../checkpoints/tasks.ts";
import type { Task, WorkState } from "../../../checkpoints/work-state.ts";
import { asList, own, textOf } from "../../../text/untrusted.ts";
import { oneLine } from "../../../text/visible.ts";
import { markInterrupted, readerOf } from "../../../sessions/clients/interrupted.ts";
import {
  checkpointInfo,
  inLines,
  messages,
  sentence,
  task,
  taskStatus,
  trail,
  withMessages,
} from "../schemas.ts";
import { ADDS, LOOKS, SETS, type Tool } from "../tool.ts";

const taskId = z.string().min(1).max(200);
const isOver = (item: unknown) => /^(completed|cancelled)$/.test(textOf(item, "status") ?? "");

const listInput = z.strictObject({
  all: z.boolean().default(false).describe("Also those that are done or cancelled."),
  trail,
});

const listOutput = z.looseObject({
  trail: z.string(),
  active_task_id: z.string().nullable(),
  tasks: z.array(z.unknown()),
  over: z.number().describe("How many are done or cancelled."),
  messages,
});

export const tasks: Tool<typeof listInput, typeof listOutput> = {
  name: "tasks",
  title: "List the tasks",
  description: "The tasks of the work, with their status, and the one that is under way.",
  input: listInput,
  output: listOutput,
  annotations: LOOKS,
  run: async ({ all, trail: typed }, { desk, server }) =>
    desk.read(server, typed, async ({ trail: read, project, messages: said }) => {
      const { world, whereabouts } = desk;
      const reader = readerOf(read.name, { env: world.env, session: whereabouts.session });
      const asking = { reader, folder: project.folder, now: world.now() };
      const state = await markInterrupted(await read.load(), asking);
      const every = asList(state.tasks);
      const shown = all ? every : every.filter((item) => !isOver(item));
      const data = {
        trail: read.name,
        active_task_id: textOf(state, "active_task_id") ?? null,
        tasks: shown,
        over: every.filter(isOver).length,
        ...withMessages(said),
      };
      return { data, text: inLines(shown.length === 0 ? ["No open tasks."] : shown.map(line), said) };
    }),
};

function line(item: unknown): string {
  const part = (name: string) => oneLine(textOf(item, name) ?? "?");
  const lost = own(item, "interrupted") === true ? ", interrupted" : "";
  return `${part("id")}. [${part("status")}${lost}] ${part("subject")}`;
}

const addInput = z.strictObject({
  subject: sentence.describe("What is to be done."),
  owner: z.string().max(200).optional(),
  blocked_by: z.array(taskId).max(100).default([]).describe("Ids of tasks that this one waits for."),
  trail,
});

const addOutput = z.looseObject({ checkpoint: checkpointInfo, task, messages });

export const taskAdd: Tool<typeof addInput, typeof addOutput> = {
  name: "task_add",
  title: "Add a task",
  description: "Add a task to the list that survives this context.",
  input: addInput,
  output: addOutput,
  annotations: ADDS,
  run: async (input, call) => {
    const { desk, server } = call;
    let added: Task | undefined;
    const { checkpoint, messages: said } = await desk.save(server, {
      trail: input.trail,
      trigger: "task",
      fresh: { subject: input.subject, owner: input.owner ?? null },
      change: (state, fresh) => {
        const empty = { blocks: [], blocked_by: [] };
        const fields = { id: nextTaskId(state), ...fresh, status: "pending" as const };
        const fresher: Task = { ...fields, ...empty, ...desk.signed(call) };
        const blockers = input.blocked_by.map((id) => findTask(state, id));
        state.tasks.push(fresher);
        for (const blocker of blockers) link(state, blocker, fresher);
        added = fresher;
      },
    });
    const { id, subject } = added as unknown as Task;
    return {
      data: { checkpoint, task: added, ...withMessages(said) },
      text: inLines([`Task ${id} added: ${oneLine(subject)}`], said),
    };
  },
};

const statusInput = z.strictObject({
  id: taskId.describe("The task's id, as tasks lists it."),
  status: taskStatus,
  evidence: sentence.optional().describe("What shows that it is done: a test that passed, a file, a commit."),
  reason: sentence.optional().describe("What it waits for, or why it was given up."),
  trail,
});

const statusOutput = z.looseObject({
  checkpoint: checkpointInfo,
  task,
  active_task_id: z.string().nullable(),
  messages,
});

export const taskStatusTool: Tool<typeof statusInput, typeof statusOutput> = {
  name: "task_status",
  title: "Set a task's status",
  description: "Say that a task was started, is done (with what shows it), waits, or was given up.",
  input: statusInput,
  output: statusOutput,
  annotations: SETS,
  run: async ({ id, status, evidence, reason, trail: typed }, { desk, server }) => {
    let waits: string[] = [];
    const {
      checkpoint,
      state,
      messages: said,
    } = await desk.save(server, {
      trail: typed,
      trigger: "task",
      mustExist: true,
      fresh: { evidence: evidence ?? null, reason: reason ?? null },
      change: (draft, fresh) => {
        const changed = findTask(draft, id);
        waits = status === "in_progress" ? openBlockers(draft, changed) : [];
        move(draft, changed, status);
        if (fresh.evidence !== null) changed.evidence = fresh.evidence;
        if (fresh.reason !== null) Object.assign(changed, { reason: fresh.reason });
      },
    });
    const changed = findTask(state, id);
    const list = [...said, ...(waits.length > 0 ? [`Task ${id} waits for ${waits.join(", ")}.`] : [])];
    const active = state.active_task_id ?? null;
    return {
      data: { checkpoint, task: changed, active_task_id: active, ...withMessages(list) },
      text: inLines([line(changed)], list),
    };
  },
};

function move(state: WorkState, changed: Task, status: Task["status"]): void {
  if (status === "completed" || status === "cancelled") {
    endTask(state, changed, status);
    return;
  }
  changed.status = status;
  if (status === "in_progress") state.active_task_id = changed.id;
  else if (state.active_task_id === changed.id) delete state.active_task_id;
}
