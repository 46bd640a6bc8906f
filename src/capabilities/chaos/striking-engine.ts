import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ancestorsOf } from "../workflow/definition/graph.ts";
import { attemptFolder } from "../workflow/engine/attempt-folder.ts";
import type { Engine, RunningAttempt, StepStart } from "../workflow/engine/engine.ts";
import { isDone } from "../workflow/run/run-state.ts";
import { ended, type AttemptOutcome } from "../workflow/run/settle.ts";
import type { ChaosLog } from "./chaos-log.ts";
import { opposite } from "./opposite.ts";
import type { ChaosEvent, ChaosFault } from "./schedule.ts";

/** What strikes, and how that which runs the steps can be struck. */
export interface Striking {
  readonly schedule: readonly ChaosEvent[];
  readonly log: ChaosLog;
  /** The store's folder of the copy. */
  readonly folder: string;
  /** Ends the runner, after which nothing that it does counts. `rest` waits for functions, which die only with their process. */
  readonly die: (rest: () => Promise<void>) => Promise<void>;
  readonly isDead: () => boolean;
  /** Stops the process until another one wakes it; only where the runner has its own. */
  readonly freeze?: () => Promise<void>;
  /** How a step is started under a fault of the machine, and what undoes the fault. */
  readonly onMachine?: (start: StepStart, fault: ChaosFault) => readonly [StepStart, undo: () => void];
}

/** An engine that strikes the calls that the schedule names, and leaves all others alone. */
export function strikingEngine(inner: Engine, striking: Striking): Engine & { rest: () => Promise<void> } {
  const { log, isDead } = striking;
  const running = new Set<Promise<AttemptOutcome>>();
  const work = (start: StepStart): RunningAttempt => {
    if (isDead()) return answering(start, NEVER);
    const attempt = inner.start(start);
    running.add(attempt.outcome);
    void attempt.outcome.finally(() => running.delete(attempt.outcome));
    return attempt;
  };
  const rest = async () => void (await Promise.allSettled(running));
  const struck = strikes(work, striking, { rest, isQuiet: () => running.size === 0 });
  /** Work that was too late, by step: it comes after the attempt that took its place. */
  const late = new Map<string, () => Promise<unknown>>();
  return {
    attach: (start, identity) => inner.attach(start, identity),
    start: (start) => {
      if (isDead()) return answering(start, NEVER);
      const { id } = start.step;
      const call = log.callsOf(id) + 1;
      const fault = faultAt(striking.schedule, id, call);
      log.add({ type: "called", step: id, call, fault, unanswered: unansweredBefore(start) });
      const before = late.get(id);
      late.delete(id);
      if (fault === "late") late.set(id, () => workTooLate(work, start));
      const attempt = fault === null ? work(start) : struck[fault](start);
      return before === undefined ? attempt : then(attempt, (outcome) => before().then(() => outcome));
    },
    rest,
  };
}

export function faultAt(schedule: readonly ChaosEvent[], step: string, call: number): ChaosFault | null {
  return schedule.find((event) => event.step === step && event.call === call)?.fault ?? null;
}

type Work = (start: StepStart) => RunningAttempt;

const NEVER = new Promise<never>(() => {});
const CHAOS = "Chaos struck.";

/** What each fault makes of a start. */
function strikes(
  work: Work,
  striking: Striking,
  { rest, isQuiet }: { readonly rest: () => Promise<void>; readonly isQuiet: () => boolean },
): Record<ChaosFault, Work> {
  const { die, folder, freeze, onMachine } = striking;
  const failed = (start: StepStart) => answering(start, Promise.resolve(ended("failed", start, CHAOS)));
  const dead = () => die(rest).then(() => NEVER);
  const machine = (fault: ChaosFault) => (start: StepStart) => {
    const [changed, undo] = onMachine?.(start, fault) ?? [start, () => {}];
    return then(work(changed), (outcome) => {
      undo();
      return outcome;
    });
  };
  return {
    kill: (start) => answering(start, dead()),
    "kill-after-effect": (start) =>
      then(work(start), () => {
        forgetStatus(start);
        return dead();
      }),
    fail: failed,
    late: failed,
    "fail-after-effect": (start) =>
      then(work(start), (outcome) =>
        outcome.kind === "completed" ? ended("failed", start, CHAOS) : outcome,
      ),
    slow: (start) => then(work(start), (outcome) => quiet(isQuiet).then(() => outcome)),
    twice: (start) => then(work(start), () => work(again(start, folder)).outcome),
    contradict: (start) =>
      then(work(start), (outcome) =>
        outcome.kind === "completed"
          ? {
              ...outcome,
              result: opposite(outcome.result ?? null, start.step.reviewer !== undefined) ?? null,
            }
          : outcome,
      ),
    freeze: (start) => then(work(start), (outcome) => (freeze?.() ?? Promise.resolve()).then(() => outcome)),
    revoke: machine("revoke"),
    net: machine("net"),
    "full-disk": machine("full-disk"),
    clock: machine("clock"),
  };
}

function answering({ step, attempt }: StepStart, outcome: Promise<AttemptOutcome>): RunningAttempt {
  return { step, attempt, outcome, stop: () => {} };
}

function then(
  attempt: RunningAttempt,
  change: (outcome: AttemptOutcome) => AttemptOutcome | Promise<AttemptOutcome>,
): RunningAttempt {
  return { ...attempt, outcome: attempt.outcome.then(change) };
}

/** A function sees that it is too late; of a command, what it set going elsewhere comes all the same. */
function workTooLate(work: Work, start: StepStart): Promise<unknown> {
  const attempt = work(start);
  if (start.step.kind === "function") attempt.stop();
  return attempt.outcome;
}

/** The same start, with a folder of its own: an attempt's folder is claimed once. */
function again(start: StepStart, folder: string): StepStart {
  const { run, step, attempt } = start;
  return { ...start, folder: attemptFolder(join(folder, "runs", run.id), `${step.id}~again`, attempt) };
}

/** Takes back that the command ended, as if it had been killed with its runner. */
function forgetStatus({ step, folder }: StepStart): void {
  if (step.kind !== "command") return;
  const claim = readFileSync(folder.started, "utf8").split("\n").slice(0, 3);
  writeFileSync(folder.started, `${claim.join("\n")}\n`);
}

function unansweredBefore({ step, run }: StepStart): string[] {
  const before = ancestorsOf(step.id, run.definition);
  return run.definition
    .filter(({ id, kind }) => kind === "approval" && before.has(id) && !isDone(run, id))
    .map(({ id }) => id);
}

const QUIET_MS = 15;
const MOST_LOOKS = 200;

/** Waits until nothing has run for a while. */
async function quiet(isQuiet: () => boolean): Promise<void> {
  for (let looks = 0, calm = 0; looks < MOST_LOOKS && calm < 2; looks++) {
    await wait(QUIET_MS);
    calm = isQuiet() ? calm + 1 : 0;
  }
}
