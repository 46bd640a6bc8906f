import { endTask, findTask, isTaskOver, link, nextTaskId, openBlockers } from "../../state/tasks.ts";
import { readWorkState, type Task, type TaskStatus, type WorkState } from "../../state/work-state.ts";
import { readTrail } from "../choose-trail.ts";
import { commitWork, signed } from "../commit-work.ts";
import { meaningful } from "../sentence.ts";
import { asSeenNow } from "../reading/seen-now.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { TASKS } from "./task-verbs.ts";

/** Lists the tasks. One that is in progress though no live agent works on it is marked `interrupted`. */
export async function taskList(
  project: Project,
  { trail: named, all = false }: InputOf<(typeof TASKS)["task list"]>,
) {
  const { trail } = await readTrail(project, named);
  const { tasks: every, active_task_id = null } = await asSeenNow(project, await trail.load());
  const open = every.filter((task) => !isTaskOver(task));
  return {
    trail: trail.name,
    active_task_id,
    tasks: all ? every : open,
    over: every.length - open.length,
    every,
  };
}

/** Adds a task. */
export async function taskAdd(project: Project, input: InputOf<(typeof TASKS)["task add"]>) {
  const { trail, subject, owner, blocked_by = [], blocks = [] } = input;
  let added: Task | undefined;
  const { checkpoint } = await commitWork(project, {
    trail,
    trigger: "task",
    fresh: { subject: meaningful(subject, "The subject"), owner: owner ?? null },
    change: (draft, fresh) => {
      const task: Task = {
        id: nextTaskId(draft),
        subject: fresh.subject,
        status: "pending",
        owner: fresh.owner,
        blocks: [],
        blocked_by: [],
        ...signed(project),
      };
      const blockers = blocked_by.map((id) => findTask(draft, id));
      const waiting = blocks.map((id) => findTask(draft, id));
      draft.tasks.push(task);
      for (const blocker of blockers) link(draft, blocker, task);
      for (const other of waiting) link(draft, task, other);
      added = task;
    },
  });
  return { checkpoint, task: added as unknown as Task };
}

/** Rewords the subject of a task. */
export async function taskRename(
  project: Project,
  { trail, id, subject }: InputOf<(typeof TASKS)["task rename"]>,
) {
  let was = "";
  const { checkpoint, state } = await commitWork(project, {
    trail,
    trigger: "task",
    mustExist: true,
    ifChanged: true,
    fresh: { subject: meaningful(subject, "The subject") },
    change: (draft, fresh) => {
      const task = findTask(draft, id);
      was = task.subject;
      task.subject = fresh.subject;
    },
  });
  return { checkpoint, task: findTask(state, id), was };
}

export type TaskStatusResult = Awaited<ReturnType<typeof taskStatus>>;

/** Says that a task was started, is done, waits, or was given up. There is no checkpoint if it had that status already. */
export async function taskStatus(project: Project, input: InputOf<(typeof TASKS)["taskStatus"]>) {
  const { trail, id, status, evidence, reason } = input;
  let waits: readonly string[] = [];
  const { checkpoint, state: stored } = await commitWork(project, {
    trail,
    trigger: "task",
    mustExist: true,
    ifChanged: true,
    fresh: {
      owner: input.owner ?? null,
      evidence: evidence === undefined ? null : meaningful(evidence, "The evidence"),
      reason: reason === undefined ? null : meaningful(reason, "The reason"),
    },
    change: (draft, fresh) => {
      const task = findTask(draft, id);
      waits = status === "in_progress" ? openBlockers(draft, task) : [];
      for (const blocker of input.blocked_by ?? []) link(draft, findTask(draft, blocker), task);
      setStatus(draft, task, status);
      const owner = fresh.owner ?? (status === "in_progress" ? project.actor.agentId : undefined);
      if (owner !== undefined && owner !== null) task.owner = owner;
      if (fresh.evidence !== null) task.evidence = fresh.evidence;
      if (fresh.reason !== null) Object.assign(task, { reason: fresh.reason });
    },
  });
  if (waits.length > 0) project.notices.warning(`Task ${id} waits for ${waits.join(", ")}.`);
  const state = readWorkState(stored);
  return { checkpoint, task: findTask(state, id), active_task_id: state.active_task_id ?? null, state };
}

function setStatus(state: WorkState, task: Task, status: TaskStatus): void {
  if (status === "completed" || status === "cancelled") {
    endTask(state, task, status);
    return;
  }
  task.status = status;
  if (status === "in_progress") state.active_task_id = task.id;
  else if (state.active_task_id === task.id) delete state.active_task_id;
}
