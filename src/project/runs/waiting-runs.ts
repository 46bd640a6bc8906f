import { oneLine } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { runTrail } from "../../workflow/run/run-state.ts";
import { findRuns, type RunSummary } from "../../workflow/runner/find-runs.ts";

/** A run that waits for somebody, and what to type. */
export interface WaitingRun {
  readonly trail: string;
  readonly status: string;
  readonly completed: number;
  readonly total: number;
  readonly command: string;
  readonly why: string;
}

/** `checkpoint runs` lists the others. */
const MAX_RUNS = 10;

/** Runs that wait for somebody, the one that moved last first. */
export async function waitingRuns(
  workflows: Pick<WorkflowContext, "cairn" | "folder">,
): Promise<WaitingRun[]> {
  const runs = await findRuns(workflows);
  return runs
    .filter(({ can_resume, status }) => can_resume && status !== "running")
    .slice(0, MAX_RUNS)
    .map(waitingRun);
}

function waitingRun({ id, status, completed, total, next }: RunSummary): WaitingRun {
  const isAsking = status === "awaiting_approval";
  const steps = next.slice(0, 3).map(oneLine).join(", ");
  return {
    trail: runTrail(id),
    status,
    completed,
    total,
    command: `checkpoint ${isAsking ? "approve" : "resume"} ${id}`,
    why: isAsking ? `it asks: ${steps}` : `${status}, next ${steps}`,
  };
}
