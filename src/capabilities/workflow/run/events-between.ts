import type { RunEvent } from "./events.ts";
import type { Step } from "../definition/types.ts";
import { progressOf } from "./progress.ts";
import { resumePlanOf } from "./resume-plan.ts";
import { changedSteps, stateOf, type ApprovalDecision, type Run, type StepState } from "./run-state.ts";

/** The first event of a runner: where the run stands. */
export function openingOf(type: "run-started" | "run-resumed", run: Run): RunEvent {
  const { id, workflow, epoch, updated_at: last_activity } = run;
  const { completed, total, next } = progressOf(run);
  const { completed: done, original_request: request } = resumePlanOf(run);
  return { type, run: id, workflow, epoch, completed, total, request, done, next, last_activity };
}

/** The last event of a runner: how the run was left. */
export function endingOf(run: Run): RunEvent {
  const { id, status, reason = null } = run;
  const { completed, total } = progressOf(run);
  return { type: "run-ended", run: id, status, reason, completed, total };
}

/** What happened between two states of a run. Starts are missing: only the runner knows about them. */
export function eventsBetween(before: Run, after: Run): RunEvent[] {
  return changedSteps(before, after).flatMap((step) => eventOf(step, stateOf(before, step.id), after) ?? []);
}

function eventOf(step: Step, old: StepState, run: Run): RunEvent | undefined {
  const about = { run: run.id, step: step.id };
  const state = stateOf(run, step.id);
  const { status, attempt, decision, reason = "" } = state;
  if (step.kind === "approval" && decision && !isSame(old.decision, decision)) {
    const { approved, by, option = null, reason: why = null } = decision;
    return { type: "approval-decided", ...about, approved, by, option, reason: why };
  }
  if (old.status === status) return undefined;
  if (status === "completed")
    return {
      type: "step-completed",
      ...about,
      attempt,
      adopted: state.adopted === true,
      duration_ms: durationOf(state),
      result: state.result ?? null,
      artifacts: Object.values(run.artifacts).filter((artifact) => artifact.step === step.id),
    };
  if (status === "skipped") return { type: "step-skipped", ...about, reason };
  if (status === "failed" || status === "waiting")
    return { type: "step-failed", ...about, attempt, reason, retry_at: state.retry_at ?? null };
  if (status === "awaiting_approval")
    return {
      type: "approval-asked",
      ...about,
      question: step.question ?? step.id,
      options: step.options ?? [],
      reason: state.reason ?? null,
    };
  return status === "pending" && old.status === "running"
    ? { type: "step-interrupted", ...about, attempt, reason }
    : undefined;
}

/** Compared by value: a run that was loaded again consists of new objects. */
function isSame(old: ApprovalDecision | undefined, { at, by, approved }: ApprovalDecision): boolean {
  return old !== undefined && old.at === at && old.by === by && old.approved === approved;
}

function durationOf({ started_at, ended_at }: StepState): number {
  return started_at === undefined || ended_at === undefined
    ? 0
    : Math.max(0, Date.parse(ended_at) - Date.parse(started_at));
}
