import { oneLine } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { runTrail } from "../../workflow/run/run-state.ts";
import { findRuns, type RunSummary } from "../../workflow/runner/find-runs.ts";

/** A run that waits for somebody, and what to type. */
export type WaitingRun = ReturnType<typeof waitingRun>;

/** `checkpoint runs` lists the others. */
const MAX_RUNS = 10;

/** Runs that wait for somebody, the one that moved last first. */
export async function waitingRuns(
  workflows: Pick<WorkflowContext, "cairn" | "folder" | "leases">,
): Promise<WaitingRun[]> {
  const runs = await findRuns(workflows);
  return runs
    .filter(({ can_resume, status }) => can_resume && status !== "running")
    .slice(0, MAX_RUNS)
    .map(waitingRun);
}

function waitingRun(run: RunSummary) {
  const { id, status, completed, total, next } = run;
  const steps = next.slice(0, 3).map(oneLine).join(", ");
  return {
    trail: runTrail(id),
    status,
    completed,
    total,
    command: commandForRun(run),
    why: status === "awaiting_approval" ? `it asks: ${steps}` : `${status}, next ${steps}`,
  };
}

/** What to type for a run in this status. */
export function commandForRun({ id, status, resume_command }: RunSummary): string {
  if (status === "running") return `checkpoint runs watch ${id}`;
  return status === "awaiting_approval" ? `checkpoint approve ${id}` : resume_command;
}
