import type { Task, WorkState } from "../../checkpoints/work-state.ts";
import { oneLine } from "../../text/visible.ts";
import { agentName } from "../commit.ts";
import type { Context } from "../context.ts";
import { edit, type Edited, type EditOptions, meaningful } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { TASKS } from "../table/work.ts";
import { endTask, findTask, link, nextTask, openBlockers } from "../../checkpoints/tasks.ts";
import { progress } from "../view/tasks.ts";

type Options<Name extends keyof typeof TASKS> = OptionsOf<(typeof TASKS)[Name]>;

/** Start a task: it becomes the active one */
export async function taskStart(
  context: Context,
  options: Options<"task start">,
  output: Output,
): Promise<void> {
  const owner = options.owner ?? agentName(context.env, options.agent) ?? null;
  let waits: string[] = [];
  const edited = await editTask(context, options, output, { owner }, (state, task, fresh) => {
    if (task.status === "in_progress" && state.active_task_id === task.id) return;
    waits = openBlockers(state, task);
    task.status = "in_progress";
    task.owner = fresh.owner ?? task.owner;
    state.active_task_id = task.id;
  });
  if (waits.length > 0) output.warning(`Task ${options.id} waits for ${waits.join(", ")}.`);
  report(edited, output, (task) => sentence(task, "started"), "is already the active one");
}

/** Finish a task */
export async function taskDone(
  context: Context,
  options: Options<"task done">,
  output: Output,
): Promise<void> {
  const evidence = options.evidence === undefined ? null : meaningful(options.evidence, "--evidence");
  const edited = await editTask(context, options, output, { evidence }, (state, task, fresh) => {
    if (task.status === "completed" && fresh.evidence === null) return;
    endTask(state, task, "completed");
    if (fresh.evidence !== null) task.evidence = fresh.evidence;
  });
  const text = (task: Task, state: WorkState) =>
    `${sentence(task, "done")} (${progress(state.tasks)})${hint(state)}`;
  report(edited, output, text, "is already done");
}

/** Say that a task waits */
export async function taskBlock(
  context: Context,
  options: Options<"task block">,
  output: Output,
): Promise<void> {
  const reason = options.why === undefined ? null : meaningful(options.why, "--why");
  const edited = await editTask(context, options, output, { reason }, (state, task, fresh) => {
    for (const id of options.by) link(state, findTask(state, id), task);
    task.status = "blocked";
    if (state.active_task_id === task.id) delete state.active_task_id;
    if (fresh.reason !== null) Object.assign(task, { reason: fresh.reason });
  });
  report(edited, output, (task) => sentence(task, "blocked"), "is already blocked");
}

/** Give a task up */
export async function taskCancel(
  context: Context,
  options: Options<"task cancel">,
  output: Output,
): Promise<void> {
  const edited = await editTask(context, options, output, {}, (state, task) => {
    if (task.status === "cancelled") return;
    endTask(state, task, "cancelled");
  });
  report(
    edited,
    output,
    (task, state) => `${sentence(task, "cancelled")}${hint(state)}`,
    "is already cancelled",
  );
}

type EditedTask = Edited & { readonly task: Task };

async function editTask<Fresh extends object>(
  context: Context,
  options: EditOptions & { readonly id: string },
  output: Output,
  fresh: Fresh,
  change: (state: WorkState, task: Task, fresh: Fresh) => void,
): Promise<EditedTask> {
  const edited = await edit(context, { ...options, mustExist: true }, output, {
    trigger: "task",
    ifChanged: true,
    fresh,
    change: (state, clean) => change(state, findTask(state, options.id), clean),
  });
  return { ...edited, task: findTask(edited.state, options.id) };
}

function report(
  { checkpoint, task, state }: EditedTask,
  output: Output,
  text: (task: Task, state: WorkState) => string,
  already: string,
): void {
  if (checkpoint === null) output.message(oneLine(`Task ${task.id} ${already}: ${task.subject}`));
  output.result(
    { checkpoint, task, active_task_id: state.active_task_id ?? null },
    checkpoint === null ? "" : text(task, state),
  );
}

function sentence({ id, subject }: Task, what: string): string {
  return oneLine(`Task ${id} ${what}: ${subject}`);
}

function hint(state: WorkState): string {
  const next = state.active_task_id === undefined ? nextTask(state) : undefined;
  return next === undefined
    ? ""
    : `\nNext: checkpoint task start ${oneLine(next.id)}  (${oneLine(next.subject)})`;
}
