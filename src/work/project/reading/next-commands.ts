import type { WorkState } from "../../state/work-state.ts";
import { asList, own, textOf } from "../../../core/text/untrusted.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { NextCommand } from "../next-command.ts";

/** How the work goes on: what is under way first, then what can be started, then how to hand over. */
export function nextCommands(state: Partial<WorkState>, trailOption: string): NextCommand[] {
  const step = (command: string, why: string): NextCommand => ({
    command: `checkpoint ${command}${trailOption}`,
    why,
  });
  return [
    ...workSteps(state).map(([command, why]) => step(command, why)),
    step("summary", "a briefing for whoever goes on"),
  ];
}

function workSteps(state: Partial<WorkState>): (readonly [command: string, why: string])[] {
  const tasks = asList(state.tasks);
  const active = tasks.find((task) => textOf(task, "status") === "in_progress");
  if (active !== undefined) return [[`task done ${idOf(active)}`, `when it is done: ${subjectOf(active)}`]];
  const next = tasks.find((task) => textOf(task, "status") === "pending");
  if (next !== undefined) return [[`task start ${idOf(next)}`, subjectOf(next)]];
  const blockers = asList(state.blockers);
  if (blockers.length > 0)
    return [["unblock 1", `once this is solved: ${shorten(textOf(blockers[0], "text") ?? "")}`]];
  const isOpen = textOf(state.phase, "status") === "in_progress";
  if (isOpen && tasks.length > 0)
    return [
      ["phase complete", `all tasks of ${shorten(textOf(state.phase, "name") ?? "the phase")} are done`],
    ];
  if (textOf(state, "goal") === undefined) return [['goal "…"', "say what the work is for"]];
  return own(state, "next_action") === undefined ? [['next "…"', "say what comes next"]] : [];
}

function idOf(task: unknown): string {
  const id = textOf(task, "id") ?? "";
  // Whatever is put into a command line must not mean anything to a shell.
  return /^[\w.-]+$/.test(id) ? id : `'${id.replaceAll("'", "")}'`;
}

const subjectOf = (task: unknown) => shorten(textOf(task, "subject") ?? "");

function shorten(text: string): string {
  const line = oneLine(text);
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
