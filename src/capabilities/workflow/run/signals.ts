import { CheckpointError } from "../../../core/errors.ts";
import type { Json } from "../../../core/objects/json.ts";
import { suggest } from "../../../core/text/suggest.ts";
import type { Step } from "../definition/types.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { stateOf, stepsWith, type Run, type StepState } from "./run-state.ts";

/** What a step that waits gets from outside. Kept on the run, so one that comes before its step waits for it. */
export interface Signal {
  /** Given by the sender, so that sending again changes nothing; else random, so that no given one equals it. */
  readonly id: string;
  readonly name: string;
  readonly data: Json;
  readonly by: string;
  readonly at: string;
}

/** Adds a signal; the run as it is when it was sent before. Pure. */
export function addSignal(run: Run, sent: Signal): Run {
  const { signals = [] } = run;
  if (signals.some(({ id, name }) => id === sent.id && name === sent.name)) return run;
  if (isOver(run.status)) throw over(run);
  const waiting = run.definition.filter(({ signal }) => signal === sent.name);
  if (waiting.length === 0) throw unknown(run, sent.name);
  if (signals.filter(({ name }) => name === sent.name).length >= waiting.length) throw enough(run, sent.name);
  return { ...run, signals: [...signals, sent] };
}

/** The oldest signal for a step that no other step has taken. */
export function signalFor(run: Run, { signal: wanted }: Step): Signal | undefined {
  const isTaken = ({ id }: Signal) =>
    run.definition.some((step) => step.signal === wanted && stateOf(run, step.id).signal === id);
  return run.signals?.find((signal) => signal.name === wanted && !isTaken(signal));
}

/** When a step that waits gives up; undefined when it waits for as long as it takes. */
export const givesUpAt = ({ timeout_ms }: Step, { started_at }: StepState): number | undefined =>
  timeout_ms === undefined || started_at === undefined ? undefined : Date.parse(started_at) + timeout_ms;

/** The steps that wait for a signal now. */
export const awaitingSignal = (run: Run): readonly Step[] =>
  stepsWith(run, "pending").filter(
    ({ id, kind }) => kind === "signal" && stateOf(run, id).started_at !== undefined,
  );

function over({ id, status }: Run): CheckpointError {
  return new CheckpointError("conflict", `Run "${id}" is ${status}: it waits for nothing any more.`, {
    hint: `checkpoint runs show ${id}`,
    details: { run: id, status },
  });
}

function unknown({ id, definition }: Run, name: string): CheckpointError {
  const names = [...new Set(definition.flatMap(({ signal }) => signal ?? []))];
  const near = suggest(name, names);
  const known =
    names.length === 0 ? "None of its steps waits for a signal." : `It waits for ${names.join(", ")}.`;
  return new CheckpointError("not-found", `No step of run "${id}" waits for "${name}".`, {
    hint: near === undefined ? known : `Did you mean "${near}"?`,
    details: { run: id, signal: name },
  });
}

function enough({ id }: Run, name: string): CheckpointError {
  return new CheckpointError(
    "conflict",
    `Every step of run "${id}" that waits for "${name}" has its signal already.`,
    { hint: `checkpoint runs show ${id}`, details: { run: id, signal: name } },
  );
}
