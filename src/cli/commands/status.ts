import type { Cairn } from "../../checkpoints/cairn.ts";
import { asList, asRecord, textOf } from "../../handoff/untrusted.ts";
import { oneLine } from "../../handoff/visible.ts";
import { chooseTrail } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { goOn } from "../go-on.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { isOver } from "../view/tasks.ts";
import { statusText } from "../view/status.ts";

/** Show where you are and how to go on, on one screen */
export async function status(
  context: Context,
  options: OptionsOf<typeof SAVING.status>,
  output: Output,
): Promise<void> {
  const { cairn, trail, root } = await openToRead(context, options, output);
  const { state, ...checkpoint } = await trail.load();
  const isUsual = chooseTrail(context, undefined).name === trail.name;
  const steps = goOn(state, isUsual ? "" : ` --trail ${trail.name}`);
  const runs = await waitingRuns(cairn);
  const active = asList(state.tasks).find((task) => textOf(task, "id") === state.active_task_id);
  output.result(
    {
      root,
      trail: trail.name,
      checkpoint,
      goal: textOf(state, "goal") ?? null,
      phase: state.phase ?? null,
      active_task: active ?? null,
      open_tasks: asList(state.tasks).filter((task) => !isOver(task)),
      blockers: asList(state.blockers),
      approvals_pending: asList(state.approvals_pending),
      next_action: textOf(state, "next_action") ?? null,
      workspace: state.workspace ?? null,
      runs_waiting: runs,
      go_on: steps,
    },
    () => statusText({ checkpoint, state, runs, steps }, { now: context.now(), output }),
  );
}

const WAITING = ["awaiting_approval", "paused", "failed"];
/** Runs beyond these were not touched for long; `checkpoint runs` is the place for them. */
const MAX_RUNS = 10;

export interface WaitingRun {
  readonly trail: string;
  readonly status: string;
}

/** Runs of workflows that wait for somebody. */
async function waitingRuns(cairn: Cairn): Promise<WaitingRun[]> {
  const waiting: WaitingRun[] = [];
  for (const { name } of (await cairn.trails({ prefix: "run/" })).slice(0, MAX_RUNS)) {
    const { state } = await cairn.trail(name).load();
    const status =
      asList(state.approvals_pending).length > 0
        ? "awaiting_approval"
        : textOf(asRecord(state.run), "status");
    if (status !== undefined && WAITING.includes(status))
      waiting.push({ trail: name, status: oneLine(status) });
  }
  return waiting;
}
