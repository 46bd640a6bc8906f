import { asList, textOf } from "../../text/untrusted.ts";
import { markInterrupted, readerOf } from "../../sessions/clients/interrupted.ts";
import { chooseTrail } from "../choose-trail.ts";
import type { Context } from "../context.ts";
import { goOn } from "../go-on.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { isOver } from "../view/tasks.ts";
import { statusText } from "../view/status.ts";
import { waitingRuns } from "../workflow/waiting-runs.ts";

/** More of them would hide the rest. */
const MAX_COMMANDS = 3;

/** Show where you are and how to go on, on one screen */
export async function status(
  context: Context,
  options: OptionsOf<typeof SAVING.status>,
  output: Output,
): Promise<void> {
  const { cairn, trail, root, folder } = await openToRead(context, options, output);
  const { state: stored, ...checkpoint } = await trail.load();
  const asking = { reader: readerOf(trail.name, context), folder, now: context.now() };
  const state = await markInterrupted({ ...checkpoint, state: stored }, asking);
  const isUsual = chooseTrail(context, undefined).name === trail.name;
  const runs = await waitingRuns({ cairn, folder });
  const waiting = runs.slice(0, MAX_COMMANDS).map(({ command, why }) => ({ command, why }));
  const steps = [...waiting, ...goOn(state, isUsual ? "" : ` --trail ${trail.name}`)];
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
