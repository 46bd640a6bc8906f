import type { FieldName } from "../../../work/state/fields.ts";
import type { Task, WorkState } from "../../../work/state/work-state.ts";
import { clip, oneLine } from "../../../core/text/visible.ts";
import type { StatusResult } from "../../../work/project/reading/status.ts";
import type { SessionBeside } from "../../../work/project/reading/sessions-beside.ts";
import type { WaitingRun } from "../../../work/project/runs.ts";
import type { Output, Style } from "../../../work/terminal/output.ts";
import { commandList } from "../../../work/terminal/command-list.ts";
import { provenanceLine } from "../../../work/terminal/checkpoint.ts";
import { type Block, labelled, layOut, recorded } from "../../../work/terminal/layout.ts";
import { ago } from "../../../core/text/time.ts";
import { count, words } from "../../../work/state/words.ts";
import { progress, taskLine } from "../../../work/terminal/tasks.ts";
import { fieldBlock, type ViewOptions } from "../../../work/terminal/work-state.ts";

/** Where the work stands, on one screen. */
export function statusScreen(
  { checkpoint, runs_waiting: runs, sessions, go_on }: StatusResult,
  state: WorkState,
  { now, output }: { now: Date; output: Output },
): string {
  const { style } = output;
  const options: ViewOptions = { now, style, limit: 5 };
  const notes = checkpoint.notes === null ? [] : recorded(checkpoint.notes).slice(0, 3);
  const head = [
    `${style.yellow(checkpoint.checkpoint_id)}  ${style.dim(provenanceLine(checkpoint, now))}`,
    ...notes,
  ].join("\n");
  const rules = state.constraints.length;
  const field = (name: FieldName) => fieldBlock(name, state, options);
  const blocks: Block[] = [
    field("goal"),
    field("phase"),
    { label: "Tasks", lines: taskLines(state, options) },
    field("blockers"),
    field("approvals_pending"),
    labelled("Rules", rules > 0 ? `${count(rules, "rule")} to keep: checkpoint load` : undefined),
    field("workspace"),
    { label: "Runs", lines: runs.map((run) => runLine(run, style)) },
    { label: "Sessions", lines: sessionLines(sessions, options) },
    field("next_action"),
  ];
  return [head, layOut(blocks, output), commandList(go_on, output)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function runLine({ trail, status, completed, total }: WaitingRun, { yellow }: Style): string {
  return `${oneLine(trail)}  ${yellow(words(status))}  ${completed} of ${count(total, "step")}`;
}

function sessionLines(sessions: readonly SessionBeside[], { now, style, limit }: ViewOptions): string[] {
  const more = sessions.length - limit;
  return [
    ...sessions.slice(0, limit).map(({ trail, client, status, goal, last_seen_at }) => {
      const seen = `${client}, ${ago(last_seen_at, now)}`;
      const what = goal === null ? "" : `  ${clip(oneLine(goal), 60)}`;
      return `${oneLine(trail)}  ${style.yellow(status)}  ${style.dim(oneLine(seen))}${what}`;
    }),
    ...(more > 0 ? [style.dim(`+ ${more} more: checkpoint sessions`)] : []),
  ];
}

function taskLines({ tasks }: WorkState, { style, limit }: ViewOptions): string[] {
  if (tasks.length === 0) return [];
  const rank = ({ status }: Task) => ["in_progress", "pending", "blocked"].indexOf(status);
  const open = tasks.filter((task) => rank(task) >= 0).toSorted((a, b) => rank(a) - rank(b));
  const more = open.length - limit;
  return [
    progress(tasks),
    ...open.slice(0, limit).map((task) => taskLine(task, style, tasks)),
    ...(more > 0 ? [style.dim(`+ ${more} more: checkpoint task list`)] : []),
  ];
}
