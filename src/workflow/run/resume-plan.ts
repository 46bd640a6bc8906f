import type { Json } from "../../objects/json.ts";
import { progressOf } from "./progress.ts";
import { isMet, isOver, stateOf, type Artifact, type Run, type StepState } from "./run-state.ts";

/** What a resume would do with a step, and why. */
export interface PlannedStep {
  readonly id: string;
  readonly action: "keep" | "run" | "look" | "ask" | "wait";
  readonly reason: string;
}

/** What is known about a run that could go on: for people, and with these names for programs. */
export interface ResumePlan {
  readonly run_id: string;
  readonly workflow_id: string;
  readonly original_request: string | null;
  readonly status: Run["status"];
  readonly completed: readonly string[];
  readonly remaining: readonly string[];
  /** The first of the steps that would run. */
  readonly next: string | null;
  readonly progress_percentage: number;
  readonly can_resume: boolean;
  readonly artifacts: readonly Artifact[];
  readonly updated_at: string;
  readonly metadata: Json;
  readonly steps: readonly PlannedStep[];
}

/** What resuming a run comes to. Pure: nothing is started, nothing is changed. */
export function resumePlanOf(run: Run): ResumePlan {
  const steps = run.definition.filter((step) => step.kind !== "join");
  const done = steps.filter((step) => isMet(step, stateOf(run, step.id)));
  const remaining = steps.filter((step) => !done.includes(step));
  const { next, percent } = progressOf(run);
  return {
    run_id: run.id,
    workflow_id: run.workflow,
    original_request: run.request ?? null,
    status: run.status,
    completed: done.map((step) => step.id),
    remaining: remaining.map((step) => step.id),
    next: next[0] ?? null,
    progress_percentage: percent,
    can_resume: !isOver(run.status) && remaining.length > 0,
    artifacts: Object.values(run.artifacts),
    updated_at: run.updated_at,
    metadata: run.metadata ?? null,
    steps: steps.map((step) => planned(step.id, stateOf(run, step.id), next.includes(step.id))),
  };
}

function planned(id: string, state: StepState, isNext: boolean): PlannedStep {
  switch (state.status) {
    case "completed":
      return { id, action: "keep", reason: state.adopted ? "done: found after a crash" : "done" };
    case "skipped":
      return { id, action: "keep", reason: `skipped: ${state.reason ?? ""}` };
    case "running":
      return {
        id,
        action: "look",
        reason: `attempt ${state.attempt}: re-attached, adopted or run again`,
      };
    case "awaiting_approval":
      return { id, action: "ask", reason: "waits for a decision" };
    case "failed":
      return { id, action: "run", reason: `failed: ${state.reason?.split("\n")[0] ?? ""}` };
    case "waiting":
      return { id, action: "run", reason: `to be tried again: ${state.reason?.split("\n")[0] ?? ""}` };
    case "pending":
      break;
  }
  if (!isNext) return { id, action: "wait", reason: "waits for others" };
  return { id, action: "run", reason: state.reason ?? "its needs are met" };
}
