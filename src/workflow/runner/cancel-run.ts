import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import { attemptFolder, readStarted } from "../engine/attempt-folder.ts";
import { stateOf, withSteps, type Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { readRun } from "./examine-run.ts";
import { endOrphan } from "./recover-attempts.ts";
import { runFolder } from "./run-folder.ts";
import { openRunTrail } from "./run-journal.ts";
import { isLocked } from "./run-lock.ts";

/** Tries after which somebody else must be moving the run all the time. */
const MAX_TRIES = 50;

/** Ends a run for good: nothing further starts. A runner that is alive ends what it had started; without one it is done here. */
export async function cancelRun(
  context: WorkflowContext,
  id: string,
  { reason = "Somebody cancelled it." }: { readonly reason?: string | undefined } = {},
): Promise<Run> {
  await readRun(context, id);
  const trail = openRunTrail(context, id);
  for (let tries = 1; ; tries++) {
    const head = await trail.load();
    const { run } = head.state;
    if (run.status === "cancelled" || run.status === "completed" || run.status === "archived") return run;
    const cancelled = {
      ...stopSteps(run),
      status: "cancelled" as const,
      reason,
      updated_at: context.now().toISOString(),
    };
    try {
      await trail.commit(documentOf(cancelled, head.state), {
        trigger: "error",
        notes: `${run.workflow}: cancelled. ${reason}`,
      });
      if (!isLocked(runFolder(context, id), run.epoch)) await endOrphans(context, run);
      return cancelled;
    } catch (error) {
      if (!isCheckpointError(error, "conflict") || tries >= MAX_TRIES) throw error;
    }
  }
}

function stopSteps(run: Run): Run {
  const running = run.definition.filter((step) => stateOf(run, step.id).status === "running");
  return withSteps(
    run,
    Object.fromEntries(
      running.map(({ id }) => [
        id,
        { ...stateOf(run, id), status: "pending" as const, reason: "The run was cancelled." },
      ]),
    ),
  );
}

async function endOrphans(context: WorkflowContext, run: Run): Promise<void> {
  for (const { id } of run.definition) {
    const { status, attempt } = stateOf(run, id);
    if (status !== "running") continue;
    const started = readStarted(attemptFolder(runFolder(context, run.id), id, attempt));
    if (started.kind === "started") await endOrphan(started.identity, context);
  }
}
