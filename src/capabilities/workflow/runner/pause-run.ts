import { CheckpointError } from "../../../core/errors.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import type { WorkflowContext } from "../context.ts";
import { stateOf, stepsWith, type Run } from "../run/run-state.ts";
import { cutShort, settle } from "../run/settle.ts";
import { changeRun } from "./change-run.ts";
import { notesOn } from "./notes.ts";
import { endOrphans } from "./recover-attempts.ts";
import { isDriven } from "./run-lease.ts";

/**
 * Ends what a run does now, and starts nothing more until it is resumed. A live runner and workers notice within a second and
 * stop their steps, which run again later. Rejects with `conflict` for a run that is not under way.
 */
export async function pauseRun(
  context: Pick<WorkflowContext, "cairn" | "now" | "folder" | "leases" | "kill">,
  id: string,
  reason: string,
): Promise<Run> {
  let before: Run | undefined;
  const paused = await changeRun(context, id, async (run) => {
    before = undefined;
    if (run.status === "paused") return undefined;
    if (run.status !== "running" && run.status !== "awaiting_approval") throw notUnderWay(run);
    const isWatched = run.runs_on !== "workers" && (await isDriven(context, run));
    if (!isWatched) before = run;
    const at = context.now().toISOString();
    // A live runner stops its steps itself, and keeps what they have just completed.
    const after: Run = {
      ...(isWatched ? run : stopSteps(run, context)),
      status: "paused",
      reason,
      updated_at: at,
    };
    return { run: after, ...notesOn(run, after) };
  });
  if (before !== undefined && before.runs_on !== "workers")
    await endOrphans(before, stepsWith(before, "running"), context);
  return paused;
}

/** A run whose runner stops it, because of Ctrl-C or as it was told. What is over by then stays so. */
export function pausedAs(before: Run, next: Run): Run {
  // It was cancelled while its steps were stopped: whatever follows from those, it stays so.
  if (isOver(before.status)) return before;
  const { reason = "Stopped with Ctrl-C." } = before.status === "paused" ? before : {};
  const isOpen = next.status === "running" || next.status === "awaiting_approval";
  return isOpen ? { ...next, status: "paused", reason } : next;
}

function stopSteps(run: Run, { now }: Pick<WorkflowContext, "now">): Run {
  const stopped = stepsWith(run, "running").map((step) =>
    cutShort("stopped", { step, attempt: stateOf(run, step.id).attempt }),
  );
  return settle(run, stopped, now());
}

function notUnderWay({ id, status }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is ${status}: there is nothing to pause.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id, status },
  });
}
