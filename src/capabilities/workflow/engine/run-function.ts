import { once } from "node:events";

import { encode } from "../../../core/objects/encode.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import type { StepFunction } from "../definition/types.ts";
import { cutShort, ended, type AttemptOutcome } from "../run/settle.ts";
import type { RunningAttempt, StepStart } from "./engine.ts";
import { finishWell } from "./finish-attempt.ts";
import type { StepSurroundings } from "./step-environment.ts";

/** Runs a step in TypeScript. It dies with its runner, so after a crash it runs again unless its outputs prove that it was done. */
export function runFunction(call: StepFunction, start: StepStart, around: StepSurroundings): RunningAttempt {
  const { step, attempt } = start;
  const stopping = new AbortController();
  const outcome = outcomeOf(call, start, around, stopping.signal).catch((error: unknown) =>
    ended("failed", start, reasonOf(error, around.clean)),
  );
  return { step, attempt, outcome, stop: () => stopping.abort() };
}

async function outcomeOf(
  call: StepFunction,
  start: StepStart,
  around: StepSurroundings,
  signal: AbortSignal,
): Promise<AttemptOutcome> {
  const { step, attempt, run } = start;
  const timeout = step.timeout_ms === undefined ? undefined : AbortSignal.timeout(step.timeout_ms);
  const signals = timeout ? AbortSignal.any([signal, timeout]) : signal;
  const inputs = { ...run.inputs, ...around.secrets, ...step.inputs };
  const stepCall = {
    run_id: run.id,
    step_id: step.id,
    attempt,
    inputs,
    get results() {
      return start.results();
    },
    root: around.root,
    signal: signals,
  };
  const aborted = once(signals, "abort").then(() => ABORTED);
  const returned = await Promise.race([Promise.resolve(stepCall).then(call), aborted]);
  if (returned === ABORTED) return cutShort(signal.aborted ? "stopped" : "late", start);
  return finishWell(start, around, asJson(returned));
}

const ABORTED = Symbol("aborted");

/** Throws `usage` with the path of a value that JSON cannot represent, before anything is committed. */
function asJson(value: unknown): Json {
  if (value === undefined || value === null) return null;
  encode({ value });
  return value as Json;
}

function reasonOf(error: unknown, clean: (text: string) => string): string {
  if (isCheckpointError(error, "usage")) return `Its result cannot be stored: ${error.message}`;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return clean(words).slice(0, 2000);
}
