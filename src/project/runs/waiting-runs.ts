import { isCheckpointError } from "../../errors.ts";
import { oneLine } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { RUN_TRAIL_PREFIX } from "../../workflow/run/run-state.ts";
import { readRun } from "../../workflow/runner/examine-run.ts";
import { summarize, type RunSummary } from "../../workflow/runner/find-runs.ts";

/** A run that waits for somebody, and what to type. */
export interface WaitingRun {
  readonly trail: string;
  readonly status: string;
  readonly completed: number;
  readonly total: number;
  readonly command: string;
  readonly why: string;
}

/** Runs beyond these were not touched for long; `checkpoint runs` is the place for them. */
const MAX_RUNS = 10;

/** Runs that wait for somebody, the one that moved last first. */
export async function waitingRuns(
  workflows: Pick<WorkflowContext, "cairn" | "folder">,
): Promise<WaitingRun[]> {
  const waiting: WaitingRun[] = [];
  const trails = await workflows.cairn.trails({ prefix: RUN_TRAIL_PREFIX });
  for (const { name } of trails.slice(0, MAX_RUNS)) {
    const id = name.slice(RUN_TRAIL_PREFIX.length);
    const summary = await summaryOf(workflows, id);
    if (summary?.can_resume && summary.status !== "running") waiting.push(waitingRun(name, summary));
  }
  return waiting;
}

/** Undefined for a damaged one: `checkpoint runs` tells of it. */
async function summaryOf(
  workflows: Pick<WorkflowContext, "cairn" | "folder">,
  id: string,
): Promise<RunSummary | undefined> {
  try {
    return summarize(workflows, await readRun(workflows, id));
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return undefined;
    throw error;
  }
}

function waitingRun(trail: string, { id, status, completed, total, next }: RunSummary): WaitingRun {
  const isAsking = status === "awaiting_approval";
  const steps = next.slice(0, 3).map(oneLine).join(", ");
  return {
    trail,
    status,
    completed,
    total,
    command: `checkpoint ${isAsking ? "approve" : "resume"} ${id}`,
    why: isAsking ? `it asks: ${steps}` : `${status}, next ${steps}`,
  };
}
