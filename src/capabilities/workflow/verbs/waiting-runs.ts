import { oneLine } from "../../../core/text/visible.ts";
import type { WorkflowContext } from "../context.ts";
import { questionFor, whyNoAnswer } from "../../../work/project/answering.ts";
import type { Project } from "../../../work/project/project.ts";
import type { UnfinishedRun, WaitingRun } from "../../../work/project/runs.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import { findRuns, isUnfinished, type RunSummary } from "../runner/find-runs.ts";

/** `checkpoint runs` lists the others. */
const MAX_RUNS = 10;

/** Runs that wait for somebody, the one that moved last first. */
export async function waitingRuns(
  project: Project,
  workflows: Pick<WorkflowContext, "cairn" | "folder" | "leases">,
): Promise<WaitingRun[]> {
  const runs = await findRuns(workflows);
  const waiting = runs.filter((run) => isUnfinished(run) && run.status !== "running");
  return Promise.all(
    waiting.slice(0, MAX_RUNS).map(async (run) => waitingRun(run, await commandForRun(project, run))),
  );
}

function waitingRun(run: RunSummary, command: string): WaitingRun {
  const { id, status, completed, total, next } = run;
  const steps = next.slice(0, 3).map(oneLine).join(", ");
  return {
    trail: runTrail(id),
    status,
    completed,
    total,
    command,
    why: status === "awaiting_approval" ? `it asks: ${steps}` : `${status}, next ${steps}`,
  };
}

/** Runs that are not over, the damaged ones too, the one that moved last first. */
export async function unfinishedRuns(
  project: Project,
  workflows: Pick<WorkflowContext, "cairn" | "folder" | "leases">,
): Promise<UnfinishedRun[]> {
  const runs = await findRuns(workflows);
  const open = runs.filter((run) => isUnfinished(run) || run.status === "corrupt");
  return Promise.all(open.map(async (run) => ({ ...run, command: await commandForRun(project, run) })));
}

/** What to type for a run in this status: only what would be allowed. */
export async function commandForRun(project: Project, run: RunSummary): Promise<string> {
  const { id, status, resume_command } = run;
  if (status === "running") return `checkpoint runs watch ${id}`;
  if (status !== "awaiting_approval") return resume_command;
  const isRefused = (await whyNoAnswer(project, questionFor(run))) !== undefined;
  return `checkpoint ${isRefused ? "runs show" : "approve"} ${id}`;
}
