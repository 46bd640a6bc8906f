import { own, textOf } from "../../../text/untrusted.ts";
import { oneLine } from "../../../text/visible.ts";
import * as decisions from "../../../project/work/decide.ts";
import * as goals from "../../../project/work/goal.ts";
import * as nexts from "../../../project/work/next.ts";
import { DECIDE, GOAL, NEXT, TASK_ADD, TASK_LIST, TASK_STATUS } from "../../../project/work/schemas.ts";
import * as tasks from "../../../project/work/tasks.ts";
import { ADDS, LOOKS, SETS, type Tool } from "../tool.ts";

const goalInput = GOAL.input.required({ goal: true });

export const goal: Tool<typeof goalInput, typeof GOAL.result> = {
  name: "goal",
  title: "Set the goal",
  description: "Say what the work is for and when it is done. It stands first in every handoff.",
  input: goalInput,
  output: GOAL.result,
  annotations: SETS,
  run: async (input, { project }) => {
    const data = await goals.goal(project, input);
    return { data, text: `Goal: ${oneLine(data.goal ?? "")}` };
  },
};

const nextInput = NEXT.input.required({ next_action: true });

export const next: Tool<typeof nextInput, typeof NEXT.result> = {
  name: "next",
  title: "Set the next action",
  description: "Say what is to be done next, so that the next agent starts there and not at the beginning.",
  input: nextInput,
  output: NEXT.result,
  annotations: SETS,
  run: async (input, { project }) => {
    const data = await nexts.next(project, input);
    return { data, text: `Next: ${oneLine(data.next_action ?? "")}` };
  },
};

export const decide: Tool<typeof DECIDE.input, typeof DECIDE.result> = {
  name: "decide",
  title: "Record a decision",
  description: "Record a decision and its reason, so that the next context neither forgets nor reopens it.",
  input: DECIDE.input,
  output: DECIDE.result,
  annotations: ADDS,
  run: async (input, { project }) => {
    const data = await decisions.decide(project, input);
    return { data, text: `Decided: ${oneLine(data.decision.what)}` };
  },
};

export const taskList: Tool<typeof TASK_LIST.input, typeof TASK_LIST.result> = {
  name: "tasks",
  title: "List the tasks",
  description: "The tasks of the work, with their status, and the one that is under way.",
  input: TASK_LIST.input,
  output: TASK_LIST.result,
  annotations: LOOKS,
  run: async (input, { project }) => {
    const { every: _every, ...data } = await tasks.taskList(project, input);
    return { data, text: data.tasks.length === 0 ? "No open tasks." : data.tasks.map(line).join("\n") };
  },
};

function line(task: unknown): string {
  const part = (name: string) => oneLine(textOf(task, name) ?? "?");
  const lost = own(task, "interrupted") === true ? ", interrupted" : "";
  return `${part("id")}. [${part("status")}${lost}] ${part("subject")}`;
}

export const taskAdd: Tool<typeof TASK_ADD.input, typeof TASK_ADD.result> = {
  name: "task_add",
  title: "Add a task",
  description: "Add a task to the list that survives this context.",
  input: TASK_ADD.input,
  output: TASK_ADD.result,
  annotations: ADDS,
  run: async (input, { project }) => {
    const data = await tasks.taskAdd(project, input);
    return { data, text: `Task ${data.task.id} added: ${oneLine(data.task.subject)}` };
  },
};

export const taskStatus: Tool<typeof TASK_STATUS.input, typeof TASK_STATUS.result> = {
  name: "task_status",
  title: "Set a task's status",
  description: "Say that a task was started, is done (with what shows it), waits, or was given up.",
  input: TASK_STATUS.input,
  output: TASK_STATUS.result,
  annotations: SETS,
  run: async (input, { project }) => {
    const { state: _state, ...data } = await tasks.taskStatus(project, input);
    return { data, text: line(data.task) };
  },
};
