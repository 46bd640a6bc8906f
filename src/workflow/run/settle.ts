import type { Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import { indexOf, stateOf, withSteps, type Artifact, type Run, type StepState } from "./run-state.ts";

/** How an attempt ended. */
export type Outcome =
  | {
      readonly kind: "completed";
      readonly step: string;
      readonly attempt: number;
      readonly result?: Json;
      readonly artifacts: readonly Artifact[];
      readonly adopted?: boolean;
    }
  | { readonly kind: "failed"; readonly step: string; readonly attempt: number; readonly reason: string }
  /** The runner or the machine went down, or a person paused: not the step's fault. */
  | {
      readonly kind: "crashed" | "stopped";
      readonly step: string;
      readonly attempt: number;
      readonly reason: string;
    };

/** Waiting longer than this between attempts helps nobody. */
const MAX_BACKOFF_MS = 3_600_000;

/** Puts outcomes into the run. Pure. One for an attempt that is no longer the newest is ignored. */
export function settle(run: Run, outcomes: readonly Outcome[], now: Date): Run {
  const changed: Record<string, StepState> = {};
  const artifacts = new Map<string, Artifact>();
  let progress = false;
  for (const outcome of outcomes) {
    const step = indexOf(run).byId.get(outcome.step);
    const state = stateOf(run, outcome.step);
    if (step === undefined || state.status !== "running" || state.attempt !== outcome.attempt) continue;
    changed[step.id] = after(step, state, outcome, now);
    if (outcome.kind !== "completed") continue;
    progress = true;
    for (const artifact of outcome.artifacts) artifacts.set(artifact.path, artifact);
  }
  const next = withSteps(run, changed);
  if (!progress) return next;
  const registry =
    artifacts.size === 0 ? next.artifacts : { ...next.artifacts, ...Object.fromEntries(artifacts) };
  const stale = next.stale_files?.filter((path) => !artifacts.has(path));
  return { ...next, artifacts: registry, crashes: 0, ...(stale && { stale_files: stale }) };
}

function after(step: Step, state: StepState, outcome: Outcome, now: Date): StepState {
  const { reason: _, ...clean } = state;
  const ended_at = now.toISOString();
  if (outcome.kind === "completed") {
    const { result = null, adopted } = outcome;
    return {
      ...clean,
      status: "completed",
      ended_at,
      result,
      fingerprint: step.fingerprint,
      ...(adopted && { adopted }),
    };
  }
  const { reason } = outcome;
  if (outcome.kind === "crashed")
    return { ...state, status: "pending", ended_at, reason, crashes: state.crashes + 1 };
  if (outcome.kind === "stopped") return { ...state, status: "pending", ended_at, reason };
  const failures = state.failures + 1;
  if (failures > step.retries) return { ...state, status: "failed", ended_at, reason, failures };
  const backoff = Math.min(step.backoff_ms * 2 ** (failures - 1), MAX_BACKOFF_MS);
  return {
    ...state,
    status: "waiting",
    ended_at,
    reason,
    failures,
    retry_at: new Date(now.getTime() + backoff).toISOString(),
  };
}
