import { isCheckpointError, type CheckpointError } from "../../../core/errors.ts";
import type { StoredTrail } from "../../../core/store/contract.ts";
import type { ShownRunStatus } from "../../../work/project/runs.ts";
import type { WorkflowContext } from "../context.ts";
import { verdictOf, type ResumeVerdict } from "../run/resume-check.ts";
import { blocker } from "../run/resume-finding.ts";
import { outdatedApprovals } from "../run/approval.ts";
import { progressOf, type RunProgress } from "../run/progress.ts";
import { askAgain } from "../run/reopen.ts";
import { resumePlanOf, type ResumePlan } from "../run/resume-plan.ts";
import { resumeCommandOf } from "../run/resume-command.ts";
import { isUnbound, stepsWith, type Run } from "../run/run-state.ts";
import { isOver, type RunStatus } from "../../../work/state/run-trail.ts";
import { putAsideAs } from "./archive.ts";
import { examineRun, type ExaminedRun, type ExamineOptions } from "./examine-run.ts";
import { readRuns, unfinishedTrails } from "./read-runs.ts";
import { isDriven } from "./run-lease.ts";

/** A run in a list. */
export interface RunSummary extends RunProgress {
  readonly id: string;
  readonly workflow: string;
  readonly status: ShownRunStatus;
  /** The steps that wait for an answer; others may be running. */
  readonly questions: readonly string[];
  /** `person`, or `agent:` and a name; null for runs from before that was recorded. */
  readonly started_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly reason: string | null;
  readonly file: string | null;
  readonly archived_as: string | null;
  /** Whether there is something left that can run. What an imported run would run is not known yet. */
  readonly can_resume: boolean;
  readonly resume_command: string;
}

/** Whether a run is neither over nor damaged: it, or a person, has something left to do. */
export const isUnfinished = ({ status }: Pick<RunSummary, "status">): boolean =>
  status === "interrupted" || (status !== "corrupt" && !isOver(status));

/** What is read of a store to list its runs. */
export type RunsContext = Pick<WorkflowContext, "cairn" | "folder" | "leases" | "unfinishedTrails">;

export interface FindRunsOptions {
  readonly workflow?: string | undefined;
  readonly status?: ShownRunStatus | undefined;
  /** Only archived runs; otherwise all that are not archived, and completed ones. */
  readonly archived?: boolean | undefined;
  /** How many at most; all unless given. */
  readonly limit?: number | undefined;
}

/** Runs, most recently changed first, read until there are enough. Damaged ones are listed too, and do not break the list. */
export async function findRuns(
  context: RunsContext,
  { workflow, status, archived = false, limit = Infinity }: FindRunsOptions = {},
): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  const isLeft = status !== undefined && (status === "corrupt" || isUnfinished({ status }));
  const among = isLeft ? await unfinishedTrails(context) : undefined;
  for await (const summary of summariesOf(context, among)) {
    const isOther = workflow !== undefined && summary.workflow !== workflow && summary.status !== "corrupt";
    if (isOther || (status !== undefined && summary.status !== status)) continue;
    const isArchived = summary.archived_as !== null;
    if (archived ? isArchived : !isArchived || summary.status === "completed") found.push(summary);
    if (found.length >= limit) break;
  }
  return found;
}

/** Runs that are not over, and others; most recently changed first. */
export async function* summariesOfUnfinished(context: RunsContext): AsyncGenerator<RunSummary> {
  yield* summariesOf(context, await unfinishedTrails(context));
}

async function* summariesOf(
  context: RunsContext,
  among?: readonly StoredTrail[],
): AsyncGenerator<RunSummary> {
  for await (const each of readRuns(context, among))
    yield "run" in each
      ? await summarize(context, each.run)
      : await damagedRun(context, each.id, each.damage);
}

export async function resumable(context: WorkflowContext): Promise<RunSummary[]> {
  const found: RunSummary[] = [];
  for await (const run of summariesOfUnfinished(context)) if (run.can_resume) found.push(run);
  return found;
}

async function damagedRun(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  damage: CheckpointError,
): Promise<RunSummary> {
  return {
    id,
    workflow: "?",
    status: "corrupt",
    completed: 0,
    total: 0,
    percent: 0,
    next: [],
    questions: [],
    started_by: null,
    created_at: "",
    updated_at: "",
    reason: damage.message,
    file: null,
    archived_as: (await putAsideAs(context, id)) ?? null,
    can_resume: false,
    resume_command: `checkpoint resume ${id}`,
  };
}

export async function summarize(
  context: Pick<WorkflowContext, "folder" | "leases">,
  run: Run,
): Promise<RunSummary> {
  return {
    id: run.id,
    workflow: run.workflow,
    status: (await isInterrupted(context, run)) ? "interrupted" : statusNow(run),
    ...progressOf(run),
    questions: stepsWith(run, "awaiting_approval").map(({ id }) => id),
    started_by: run.started_by ?? null,
    created_at: run.created_at,
    updated_at: run.updated_at,
    reason: run.reason ?? null,
    file: run.file ?? null,
    archived_as: run.archived_as ?? null,
    can_resume: !isOver(run.status) && !isUnbound(run),
    resume_command: resumeCommandOf(run),
  };
}

/** Questions may have been answered while no runner was alive: then the run no longer waits for a decision. */
function statusNow(run: Run): RunStatus {
  if (run.status !== "awaiting_approval") return run.status;
  if (stepsWith(run, "awaiting_approval").length > 0) return run.status;
  const isRejected = stepsWith(run, "failed").some(({ kind }) => kind === "approval");
  return isRejected ? "failed" : "paused";
}

/** Whether a run's status is running, although its runner has died. */
export async function isInterrupted(
  context: Pick<WorkflowContext, "folder" | "leases">,
  run: Run,
): Promise<boolean> {
  return run.status === "running" && !(await isDriven(context, run));
}

/** Whether a run may be resumed, with all reasons; damage is one of them. */
export async function validate(context: WorkflowContext, id: string): Promise<ResumeVerdict> {
  try {
    return (await examineRun(context, id)).verdict;
  } catch (error) {
    if (!isCheckpointError(error, "corrupt")) throw error;
    return verdictOf([blocker("integrity", error.message, error.hint ?? "checkpoint verify")]);
  }
}

/** A plan, and whether the resume check allows it. */
export type CheckedPlan = ResumePlan & { readonly resume_check: ResumeVerdict };

/** What resuming would do: what is kept, what runs next, and why. Changes nothing. */
export async function resumePlan(
  context: WorkflowContext,
  id: string,
  options: Pick<ExamineOptions, "isTrusted"> = {},
): Promise<CheckedPlan> {
  return planOf(await examineRun(context, id, options)).plan;
}

/** The plan, and the definition that it follows: the edited one where it was edited. */
export function planOf({ run, workflow, current, verdict }: ExaminedRun): {
  readonly plan: CheckedPlan;
  readonly definition: Run["definition"];
} {
  const edited = workflow === undefined ? run : { ...run, definition: workflow.steps };
  const plan = resumePlanOf(askAgain(edited, outdatedApprovals(edited, current)));
  const can_resume = plan.can_resume && verdict.verdict !== "re-plan";
  return { plan: { ...plan, can_resume, resume_check: verdict }, definition: edited.definition };
}
