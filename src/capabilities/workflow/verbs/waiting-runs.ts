import { oneLine } from "../../../core/text/visible.ts";
import { questionFor, whyNoAnswer } from "../../../work/project/answering.ts";
import type { Project } from "../../../work/project/project.ts";
import type { UnfinishedRun, WaitingRun } from "../../../work/project/runs.ts";
import { runTrail } from "../../../work/state/run-trail.ts";
import {
  isUnfinished,
  type RunsContext,
  type RunSummary,
  summariesOfUnfinished,
} from "../runner/find-runs.ts";

/** `checkpoint runs` lists the others. */
const MAX_RUNS = 10;

/** Runs that wait for somebody, the one that moved last first. */
export async function waitingRuns(project: Project, workflows: RunsContext): Promise<WaitingRun[]> {
  const waiting: WaitingRun[] = [];
  for await (const run of summariesOfUnfinished(workflows)) {
    if (!isUnfinished(run) || run.status === "running") continue;
    waiting.push(waitingRun(run, await commandForRun(project, run)));
    if (waiting.length === MAX_RUNS) break;
  }
  return waiting;
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

/** Runs that are not over, the damaged ones too unless they were put aside, the one that moved last first. */
export async function unfinishedRuns(project: Project, workflows: RunsContext): Promise<UnfinishedRun[]> {
  const open: UnfinishedRun[] = [];
  for await (const run of summariesOfUnfinished(workflows))
    if (isUnfinished(run) || (run.status === "corrupt" && run.archived_as === null))
      open.push({ ...run, command: await commandForRun(project, run) });
  return open;
}

/** What to type for a run in this status: only what would be allowed. */
export async function commandForRun(project: Project, run: RunSummary): Promise<string> {
  const { id, status, resume_command } = run;
  if (status === "running") return `checkpoint runs watch ${id}`;
  if (status !== "awaiting_approval") return resume_command;
  const isRefused = (await whyNoAnswer(project, questionFor(run))) !== undefined;
  return `checkpoint ${isRefused ? "runs show" : "approve"} ${id}`;
}
