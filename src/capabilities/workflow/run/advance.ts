import { parseCondition } from "../definition/condition.ts";
import type { Step } from "../definition/types.ts";
import { indexOf } from "./definition-index.ts";
import { lookupIn } from "./lookup.ts";
import { reviewOutcome } from "./review.ts";
import { givesUpAt, signalFor } from "./signals.ts";
import { formatDuration } from "../../../core/text/duration.ts";
import { failedStep, isMet, statesOf, stepsWith, withSteps, type Run, type StepState } from "./run-state.ts";
import type { RunStatus } from "../../../work/state/run-trail.ts";

export interface RunAdvance {
  /** The run with everything that follows immediately: skips, joins, questions, and marks for what is to start. */
  readonly run: Run;
  /** Steps that are marked running in it, which an engine has to start. */
  readonly starts: readonly { readonly step: Step; readonly attempt: number }[];
  /** When to advance again even if nothing happens: the next retry. */
  readonly wakeAt?: number | undefined;
}

export interface AdvanceOptions {
  readonly now: Date;
  /** The digest of the files that a question is about. */
  readonly digestOf: (run: Run, step: Step) => string;
  /** Nothing new starts; what runs may finish. */
  readonly draining?: boolean;
}

/**
 * What happens next in a run. Pure: the same run and time give the same answer. Steps start when all their
 * needs are met (skipped counts as met) and a slot is free; once a step has failed for good nothing new starts.
 */
export function advance(run: Run, { now, digestOf, draining = false }: AdvanceOptions): RunAdvance {
  const settled = settleInstantly(run, now);
  const at = now.toISOString();
  const changed: Record<string, StepState> = {};
  const starts: { step: Step; attempt: number }[] = [];
  let free = settled.jobs - stepsWith(settled, "running").length;
  let wakeAt: number | undefined;
  const isReady = readiness(settled);
  const states = draining || failedStep(settled) ? [] : statesOf(settled);
  for (let position = 0; position < states.length; position++) {
    const state = states[position]!;
    const step = settled.definition[position]!;
    if (state.status === "waiting") {
      const due = Date.parse(state.retry_at ?? at);
      if (due > now.getTime()) {
        wakeAt = Math.min(wakeAt ?? due, due);
        continue;
      }
    } else if (state.status !== "pending" || !isReady(position)) continue;
    if (step.kind === "signal") {
      const waiting = awaitSignal(step, state, now);
      changed[step.id] = waiting;
      const due = waiting.status === "pending" ? givesUpAt(step, waiting) : undefined;
      if (due !== undefined) wakeAt = Math.min(wakeAt ?? due, due);
    } else if (step.kind === "approval") {
      changed[step.id] = ask(state, at, digestOf(settled, step));
    } else if (free > 0) {
      free--;
      changed[step.id] = begin(state, at);
      starts.push({ step, attempt: state.attempt + 1 });
    }
  }
  const next = withSteps(settled, changed);
  const status = statusOf(next);
  return { run: next.status === status ? next : { ...next, status }, starts, wakeAt };
}

function begin(before: StepState, at: string): StepState {
  const { retry_at: _, ended_at: __, ...state } = before;
  return { ...state, status: "running", attempt: state.attempt + 1, started_at: at };
}

function ask(before: StepState, at: string, digest: string): StepState {
  const { decision: _, ...state } = before;
  return { ...state, status: "awaiting_approval", started_at: state.started_at ?? at, digest };
}

/** A step that waits is pending since a time. Nothing works on it, so a crash changes nothing. */
function awaitSignal(step: Step, state: StepState, now: Date): StepState {
  // It gave up before, and gets a second chance.
  const { ended_at, ...before } = state;
  const isNew = state.started_at === undefined || ended_at !== undefined;
  const waiting = isNew ? { ...before, started_at: now.toISOString() } : state;
  const due = givesUpAt(step, waiting);
  if (due === undefined || due > now.getTime()) return waiting;
  const reason = `No signal "${step.signal}" came within ${formatDuration(step.timeout_ms!)}.`;
  return { ...waiting, status: "failed", ended_at: now.toISOString(), reason };
}

/** Whether everything that the step at a position waits for is met. */
export function readiness(run: Run): (position: number) => boolean {
  const { needs } = indexOf(run);
  const states = statesOf(run);
  const isDone = (position: number) => isMet(run.definition[position]!, states[position]!);
  return (position) => needs[position]!.every(isDone);
}

/** Decides conditions and joins until nothing more follows. */
function settleInstantly(run: Run, now: Date): Run {
  for (let current = run; ;) {
    const changed: Record<string, StepState> = {};
    const states = statesOf(current);
    const isReady = readiness(current);
    for (const position of indexOf(current).decidable) {
      const step = current.definition[position]!;
      const state = states[position]!;
      if (state.status !== "pending" || !isReady(position)) continue;
      const settled = settleOne(step, state, current, now.toISOString());
      if (settled) changed[step.id] = settled;
    }
    if (Object.keys(changed).length === 0) return current;
    current = withSteps(current, changed);
  }
}

function settleOne(step: Step, state: StepState, run: Run, at: string): StepState | undefined {
  // Decided once: there is an attempt because the answer was yes.
  const failing =
    state.attempt > 0
      ? undefined
      : step.conditions?.find(({ text, scope }) => !parseCondition(text).holds(lookupIn(run, step, scope)));
  if (failing)
    return {
      ...state,
      status: "skipped",
      ended_at: at,
      reason: `not ${failing.text}`,
      fingerprint: step.fingerprint,
    };
  if (step.kind === "signal") {
    const { id: signal, data: result } = signalFor(run, step) ?? {};
    if (signal === undefined || result === undefined) return undefined;
    return { ...state, status: "completed", ended_at: at, result, signal, fingerprint: step.fingerprint };
  }
  if (step.kind !== "join") return undefined;
  const { status, ...outcome } = step.review
    ? reviewOutcome(step.review, run)
    : { status: "completed" as const };
  return { ...state, ...outcome, status, ended_at: at, fingerprint: step.fingerprint };
}

function statusOf(run: Run): RunStatus {
  const states = statesOf(run);
  if (run.definition.every((step, position) => isMet(step, states[position]!))) return "completed";
  const has = (wanted: StepState["status"]) => states.some(({ status }) => status === wanted);
  if (has("running")) return "running";
  if (failedStep(run)) return "failed";
  if (has("waiting")) return "running";
  return has("awaiting_approval") ? "awaiting_approval" : "running";
}
