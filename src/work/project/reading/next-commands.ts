import type { Task, WorkState } from "../../state/work-state.ts";
import { nextTask } from "../../state/tasks.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { NextCommand } from "../next-command.ts";

/** How the work goes on: what is under way first, then what can be started, then how to hand over. */
export function nextCommands(state: WorkState, trailOption: string): NextCommand[] {
  const step = (command: string, why: string): NextCommand => ({
    command: `checkpoint ${command}${trailOption}`,
    why,
  });
  return [
    ...workSteps(state).map(([command, why]) => step(command, why)),
    step("summary", "a briefing for the next agent"),
  ];
}

function workSteps(state: WorkState): (readonly [command: string, why: string])[] {
  const { tasks, phase, goal, next_action } = state;
  const active = tasks.find(({ status }) => status === "in_progress");
  if (active !== undefined)
    return [[`task done ${idOf(active)}`, `when it is done: ${shorten(active.subject)}`]];
  const next = nextTask(state);
  if (next !== undefined) return [[`task start ${idOf(next)}`, shorten(next.subject)]];
  const [blocker] = state.blockers;
  if (blocker !== undefined) return [["unblock 1", `once this is solved: ${shorten(blocker.text)}`]];
  if (phase?.status === "in_progress" && tasks.length > 0)
    return [["phase complete", `all tasks of ${shorten(phase.name)} are done`]];
  if (goal === undefined) return [['goal "…"', "set what the work is for"]];
  return next_action === undefined ? [['next "…"', "set what comes next"]] : [];
}

function idOf({ id }: Task): string {
  // Whatever is put into a command line must not mean anything to a shell.
  return /^[\w.-]+$/.test(id) ? id : `'${id.replaceAll("'", "")}'`;
}

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
