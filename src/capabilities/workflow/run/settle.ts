import type { Json } from "../../../core/objects/json.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { defined } from "../../../work/yaml/defined.ts";
import type { Step } from "../definition/types.ts";
import { stateOf, stepOf, withSteps, type Artifact, type Run, type StepState } from "./run-state.ts";

/** How an attempt ended. */
export type AttemptOutcome = { readonly step: string; readonly attempt: number } & (
  | {
      readonly kind: "completed";
      readonly result?: Json;
      readonly artifacts: readonly Artifact[];
      readonly adopted?: boolean;
    }
  /** Crashed: the runner or the machine went down. Stopped: a person paused. Neither is the step's fault. */
  | { readonly kind: "failed" | "crashed" | "stopped"; readonly reason: string }
);

/** Which attempt of which step. */
interface AttemptOf {
  readonly step: Step;
  readonly attempt: number;
}

/** An attempt that did not complete. */
export function ended(
  kind: "failed" | "crashed" | "stopped",
  { step, attempt }: AttemptOf,
  reason: string,
): AttemptOutcome {
  return { kind, step: step.id, attempt, reason };
}

/** An attempt that was ended from outside: it took too long, or its run was paused. */
export function cutShort(why: "late" | "stopped", attempt: AttemptOf): AttemptOutcome {
  return why === "late"
    ? ended("failed", attempt, `It took longer than ${formatDuration(attempt.step.timeout_ms!)}.`)
    : ended("stopped", attempt, "The run was paused.");
}

const MAX_BACKOFF_MS = 3_600_000;

/** Puts outcomes into the run. Pure. Outcomes of attempts that are no longer the newest are ignored. */
export function settle(run: Run, outcomes: readonly AttemptOutcome[], now: Date): Run {
  const changed: Record<string, StepState> = {};
  const artifacts = new Map<string, Artifact>();
  let isProgress = false;
  for (const outcome of outcomes) {
    const step = stepOf(run, outcome.step);
    const state = stateOf(run, outcome.step);
    if (step === undefined || state.status !== "running" || state.attempt !== outcome.attempt) continue;
    changed[step.id] = stateAfter(step, state, outcome, now);
    if (outcome.kind !== "completed") continue;
    isProgress = true;
    for (const artifact of outcome.artifacts) artifacts.set(artifact.path, artifact);
  }
  const next = withSteps(run, changed);
  if (!isProgress) return next;
  const registry =
    artifacts.size === 0 ? next.artifacts : { ...next.artifacts, ...Object.fromEntries(artifacts) };
  const stale_files = next.stale_files?.filter((path) => !artifacts.has(path));
  return { ...next, artifacts: registry, crashes: 0, ...defined({ stale_files }) };
}

function stateAfter(step: Step, before: StepState, outcome: AttemptOutcome, now: Date): StepState {
  const state = { ...before, ended_at: now.toISOString() };
  if (outcome.kind === "completed") {
    const { reason: _, ...clean } = state;
    const { result = null, adopted } = outcome;
    const { fingerprint } = step;
    return { ...clean, status: "completed", result, fingerprint, ...(adopted && { adopted }) };
  }
  const { reason } = outcome;
  if (outcome.kind === "crashed") return { ...state, status: "pending", reason, crashes: state.crashes + 1 };
  if (outcome.kind === "stopped") return { ...state, status: "pending", reason };
  const failures = state.failures + 1;
  if (failures > step.retries) return { ...state, status: "failed", reason, failures };
  const backoff = Math.min(step.backoff_ms * 2 ** (failures - 1), MAX_BACKOFF_MS);
  const retry_at = new Date(now.getTime() + backoff).toISOString();
  return { ...state, status: "waiting", reason, failures, retry_at };
}
