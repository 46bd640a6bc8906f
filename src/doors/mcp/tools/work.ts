import { isTaskOver } from "../../../work/state/tasks.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { readWorkState, type Task } from "../../../work/state/work-state.ts";
import { filesTouched } from "../../../work/state/words.ts";
import * as saving from "../../../work/project/saving/now.ts";
import { SAVING } from "../../../work/project/saving/verbs.ts";
import * as entries from "../../../work/project/work/entries.ts";
import * as goals from "../../../work/project/work/goal.ts";
import { TASKS } from "../../../work/project/work/task-verbs.ts";
import { WORK } from "../../../work/project/work/verbs.ts";
import * as tasks from "../../../work/project/work/tasks.ts";
import { tool } from "../tool.ts";

export const now = tool(SAVING.now, {
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

export const goal = tool(WORK.goal, {
  run: (input, { project }) => goals.goal(project, input),
  text: (result) => `Goal: ${oneLine(result.goal ?? "")}`,
});

export const next = tool(WORK.next, {
  run: (input, { project }) => goals.next(project, input),
  text: ({ next_action }) => `Next: ${oneLine(next_action ?? "")}`,
});

export const decide = tool(WORK.decide, {
  run: (input, { project }) => entries.decide(project, input),
  text: ({ decision }) => `Decided: ${oneLine(decision.what)}`,
});

export const taskList = tool(TASKS["task list"], {
  run: async (input, { project }) => {
    const { every: _every, ...result } = await tasks.taskList(project, input);
    return result;
  },
  text: ({ tasks: found }) => (found.length === 0 ? "No open tasks." : found.map(line).join("\n")),
});

export const taskAdd = tool(TASKS["task add"], {
  run: (input, { project }) => tasks.taskAdd(project, input),
  text: ({ task }) => `Task ${task.id} added: ${oneLine(task.subject)}`,
});

export const taskStatus = tool(TASKS.taskStatus, {
  run: async (input, { project }) => {
    const { state: _state, ...result } = await tasks.taskStatus(project, input);
    return result;
  },
  text: ({ task }) => line(task),
});

function line({ id, status, interrupted, subject }: Task): string {
  return oneLine(`${id}. [${status}${interrupted ? ", interrupted" : ""}] ${subject}`);
}
