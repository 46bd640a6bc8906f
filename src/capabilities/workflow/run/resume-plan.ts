import type { Json } from "../../../core/objects/json.ts";
import { progressOf } from "./progress.ts";
import { isMet, stateOf, type Artifact, type Run, type StepState } from "./run-state.ts";
import type { Step } from "../definition/types.ts";
import { isOver } from "../../../work/state/run-trail.ts";

/** What a resume would do with a step, and why. */
export interface PlannedStep {
  readonly id: string;
  readonly action: "keep" | "run" | "look" | "ask" | "wait";
  readonly reason: string;
}

/** What is done in a run and what a resume would do, for people and programs. */
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

/** Pure: nothing is started, nothing is changed. */
export function resumePlanOf(run: Run): ResumePlan {
  const steps = run.definition.filter((step) => step.kind !== "join");
  const done = steps.filter((step) => isMet(step, stateOf(run, step.id)));
  const remaining = steps.filter((step) => !done.includes(step));
  const { next, percent } = progressOf(run);
  return {
    run_id: run.id,
    workflow_id: run.workflow,
    original_request: requestOf(run),
    status: run.status,
    completed: done.map((step) => step.id),
    remaining: remaining.map((step) => step.id),
    next: next[0] ?? null,
    progress_percentage: percent,
    can_resume: !isOver(run.status) && remaining.length > 0,
    artifacts: Object.values(run.artifacts),
    updated_at: run.updated_at,
    metadata: run.metadata ?? null,
    steps: steps.map((step) => ({
      id: step.id,
      ...planned(step, stateOf(run, step.id), next.includes(step.id)),
    })),
  };
}

function planned({ signal }: Step, state: StepState, isNext: boolean): Omit<PlannedStep, "id"> {
  const { status, reason, attempt, adopted } = state;
  const why = reason?.split("\n")[0] ?? "";
  if (status === "completed")
    return { action: "keep", reason: adopted ? "done: found after a crash" : "done" };
  if (status === "skipped") return { action: "keep", reason: `skipped: ${reason ?? ""}` };
  if (status === "running")
    return { action: "look", reason: `attempt ${attempt}: re-attached, adopted or run again` };
  if (status === "awaiting_approval") return { action: "ask", reason: "waits for a decision" };
  if (status === "failed") return { action: "run", reason: `failed: ${why}` };
  if (status === "waiting") return { action: "run", reason: `to be tried again: ${why}` };
  if (!isNext) return { action: "wait", reason: "waits for others" };
  if (signal !== undefined) return { action: "wait", reason: `waits for the signal "${signal}"` };
  return { action: "run", reason: reason ?? "its needs are met" };
}

/** What was asked for, in the user's words: as given, or as the input of that name. */
const requestOf = ({ request, inputs }: Run): string | null => request ?? inputs["request"] ?? null;
