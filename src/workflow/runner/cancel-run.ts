import type { WorkflowContext } from "../context.ts";
import { attemptFolder, readClaim } from "../engine/attempt-folder.ts";
import { isOver, stateOf, stepsWith, withSteps, type Run } from "../run/run-state.ts";
import { changeRun } from "./change-run.ts";
import { endOrphan } from "./recover-attempts.ts";
import { runFolder } from "./run-folder.ts";
import { isLocked } from "./run-lock.ts";

/** Ends a run for good: nothing further starts. A live runner ends what it had started; without one it is ended here. */
export async function cancelRun(
  context: WorkflowContext,
  id: string,
  { reason = "Somebody cancelled it." }: { readonly reason?: string | undefined } = {},
): Promise<Run> {
  let before: Run | undefined;
  const cancelled = await changeRun(context, id, async (run) => {
    before = isOver(run.status) ? undefined : run;
    if (before === undefined) return undefined;
    const updated_at = context.now().toISOString();
    return {
      run: { ...stopSteps(run), status: "cancelled", reason, updated_at },
      trigger: "error",
      notes: `${run.workflow}: cancelled. ${reason}`,
    };
  });
  if (before && !isLocked(runFolder(context, id), before.epoch)) await endOrphans(context, before);
  return cancelled;
}

function stopSteps(run: Run): Run {
  const stopped = stepsWith(run, "running").map(({ id }) => {
    const state = { ...stateOf(run, id), status: "pending" as const, reason: "The run was cancelled." };
    return [id, state] as const;
  });
  return withSteps(run, Object.fromEntries(stopped));
}

async function endOrphans(context: WorkflowContext, run: Run): Promise<void> {
  for (const { id } of stepsWith(run, "running")) {
    const claim = readClaim(attemptFolder(runFolder(context, run.id), id, stateOf(run, id).attempt));
    if (claim.kind === "started") await endOrphan(claim.identity, context);
  }
}
