import { isTaskOver } from "../../../work/state/tasks.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { readWorkState, type Task } from "../../../work/state/work-state.ts";
import { filesTouched } from "../../../work/state/words.ts";
import * as saving from "../../../work/project/saving/now.ts";
import { NOW } from "../../../work/project/saving/schemas.ts";
import * as entries from "../../../work/project/work/entries.ts";
import * as goals from "../../../work/project/work/goal.ts";
import { DECIDE, GOAL, NEXT, TASK_ADD, TASK_LIST, TASK_STATUS } from "../../../work/project/work/schemas.ts";
import * as tasks from "../../../work/project/work/tasks.ts";
import { ADDS, LOOKS, SETS, tool } from "../tool.ts";

export const now = tool({
  name: "now",
  title: "Save a checkpoint",
  description:
    "Save where the work stands now: tasks, decisions and variables as they are, with what git says about the files. Call it before something risky and after each step that matters.",
  input: NOW.input,
  annotations: ADDS,
  run: async (input, { project }) => {
    const { checkpoint, state: stored } = await saving.now(project, input);
    const state = readWorkState(stored);
    const over = state.tasks.filter(isTaskOver).length;
    return {
      checkpoint: checkpoint as CheckpointInfo,
      tasks: { open: state.tasks.length - over, over },
      workspace: state.workspace ?? null,
      files_touched: filesTouched(state),
    };
  },
  text: ({ checkpoint }) => `Saved ${checkpoint.checkpoint_id} on ${checkpoint.trail}.`,
});

export const goal = tool({
  name: "goal",
  title: "Set the goal",
  description: "Say what the work is for and when it is done. It stands first in every handoff.",
  input: GOAL.input.required({ goal: true }),
  annotations: SETS,
  run: (input, { project }) => goals.goal(project, input),
  text: (result) => `Goal: ${oneLine(result.goal ?? "")}`,
});

export const next = tool({
  name: "next",
  title: "Set the next action",
  description: "Say what is to be done next, so that the next agent starts there and not at the beginning.",
  input: NEXT.input.required({ next_action: true }),
  annotations: SETS,
  run: (input, { project }) => goals.next(project, input),
  text: ({ next_action }) => `Next: ${oneLine(next_action ?? "")}`,
});

export const decide = tool({
  name: "decide",
  title: "Record a decision",
  description: "Record a decision and its reason, so that the next context neither forgets nor reopens it.",
  input: DECIDE.input,
  annotations: ADDS,
  run: (input, { project }) => entries.decide(project, input),
  text: ({ decision }) => `Decided: ${oneLine(decision.what)}`,
});

export const taskList = tool({
  name: "tasks",
  title: "List the tasks",
  description: "The tasks of the work, with their status, and the one that is under way.",
  input: TASK_LIST.input,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const { every: _every, ...result } = await tasks.taskList(project, input);
    return result;
  },
  text: ({ tasks: found }) => (found.length === 0 ? "No open tasks." : found.map(line).join("\n")),
});

export const taskAdd = tool({
  name: "task_add",
  title: "Add a task",
  description: "Add a task to the list that survives this context.",
  input: TASK_ADD.input,
  annotations: ADDS,
  run: (input, { project }) => tasks.taskAdd(project, input),
  text: ({ task }) => `Task ${task.id} added: ${oneLine(task.subject)}`,
});

export const taskStatus = tool({
  name: "task_status",
  title: "Set a task's status",
  description: "Say that a task was started, is done (with what shows it), waits, or was given up.",
  input: TASK_STATUS.input,
  annotations: SETS,
  run: async (input, { project }) => {
    const { state: _state, ...result } = await tasks.taskStatus(project, input);
    return result;
  },
  text: ({ task }) => line(task),
});

function line({ id, status, interrupted, subject }: Task): string {
  return oneLine(`${id}. [${status}${interrupted ? ", interrupted" : ""}] ${subject}`);
}
