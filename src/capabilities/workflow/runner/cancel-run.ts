import type { WorkflowContext } from "../context.ts";
import { stateOf, stepsWith, withSteps, type Run } from "../run/run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { changeRun } from "./change-run.ts";
import { endOrphans } from "./recover-attempts.ts";
import { isDriven } from "./run-lease.ts";

export interface CancelOptions {
  readonly reason?: string | undefined;
  /** The fork that does what is left. */
  readonly continuedAs?: string | undefined;
}

/** Ends a run for good: nothing further starts. A live runner ends what it had started; without one it is ended here. */
export async function cancelRun(
  context: WorkflowContext,
  id: string,
  { reason = "Cancelled by a user.", continuedAs }: CancelOptions = {},
): Promise<Run> {
  let before: Run | undefined;
  const cancelled = await changeRun(context, id, async (run) => {
    before = isOver(run.status) ? undefined : run;
    if (before === undefined) return undefined;
    const updated_at = context.now().toISOString();
    const ended: Run = { ...stopSteps(run), status: "cancelled", reason, updated_at };
    if (continuedAs === undefined)
      return { run: ended, trigger: "error", notes: `${run.workflow}: cancelled. ${reason}` };
    const notes = `${run.workflow}: ended. ${reason}`;
    return { run: { ...ended, continued_as: continuedAs }, trigger: "run", notes };
  });
  if (before && !(await isDriven(context, before)))
    await endOrphans(before, stepsWith(before, "running"), context);
  return cancelled;
}

function stopSteps(run: Run): Run {
  const stopped = stepsWith(run, "running").map(({ id }) => {
    const state = { ...stateOf(run, id), status: "pending" as const, reason: "The run was cancelled." };
    return [id, state] as const;
  });
  return withSteps(run, Object.fromEntries(stopped));
}
