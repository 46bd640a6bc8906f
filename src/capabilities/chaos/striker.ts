import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { ancestorsOf } from "../workflow/definition/graph.ts";
import type { Engine, StepStart } from "../workflow/engine/engine.ts";
import type { RunEvent } from "../workflow/run/events.ts";
import { isDone } from "../workflow/run/run-state.ts";
import type { AttemptOutcome } from "../workflow/run/settle.ts";
import { type ChaosFault, FAULTS, type StruckCall } from "./faults.ts";
import type { Play } from "./play.ts";

/** What happened in a run under faults: the events of the run, and what chaos did to it. */
export type ChaosLogEvent =
  | RunEvent
  | {
      readonly type: "called";
      readonly step: string;
      readonly call: number;
      readonly fault: ChaosFault | null;
      /** Questions before this step without an answer: there must be none. */
      readonly unanswered: readonly string[];
    }
  /** A question was answered from elsewhere than its runner. */
  | { readonly type: "answered"; readonly step: string; readonly option: string | null }
  /** A runner saw the end of the run, or why it cannot be resumed. */
  | { readonly type: "ended"; readonly how: string };

/** The log of one run: one event a line, in a file that outlives the processes that write to it. */
export function readLog(file: string): ChaosLogEvent[] {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
  return lines.map((line) => JSON.parse(line) as ChaosLogEvent);
}

export function addToLog(file: string, event: ChaosLogEvent): void {
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

export const callsIn = (events: readonly ChaosLogEvent[]) =>
  events.filter(({ type }) => type === "called") as Extract<ChaosLogEvent, { type: "called" }>[];

/** A process that runs steps, or what stands for one, as far as it can be struck. */
export interface Mortal extends Pick<StruckCall, "pause"> {
  readonly isDead: () => boolean;
  /** Nothing that it does afterwards counts. Never resolves. `rest` waits for functions, which die only with their process. */
  readonly die: (rest: () => Promise<void>) => Promise<never>;
}

export const NEVER = new Promise<never>(() => {});
const QUIET_MS = 15;
const MOST_LOOKS = 200;

/** Strikes the calls that the schedule names, in one process, and leaves all others alone. */
export class Striker {
  readonly #play: Play;
  readonly #mortal: Mortal;
  readonly #running = new Set<Promise<AttemptOutcome>>();
  /** Work that was too late, by step: it comes after the attempt that took its place. */
  readonly #late = new Map<string, () => Promise<unknown>>();

  constructor(play: Play, mortal: Mortal) {
    this.#play = play;
    this.#mortal = mortal;
  }

  /** Notes a call, and tells what strikes it. */
  called(step: string, unanswered: readonly string[] = []): ChaosFault | null {
    const { log, schedule } = this.#play;
    const call = callsIn(readLog(log)).filter((each) => each.step === step).length + 1;
    const fault = schedule.find((event) => event.step === step && event.call === call)?.fault ?? null;
    addToLog(log, { type: "called", step, call, fault, unanswered });
    return fault;
  }

  /** Stands between a runner and the engine that starts its steps. */
  readonly around = (engine: Engine): Engine => ({
    attach: (start, identity) => engine.attach(start, identity),
    start: (start) => {
      let stop = () => {};
      const work = (changed = start, isAborted = false) => {
        if (this.#mortal.isDead()) return NEVER;
        const attempt = engine.start(changed);
        stop = () => attempt.stop();
        if (isAborted && changed.step.kind === "function") stop();
        this.#running.add(attempt.outcome);
        void attempt.outcome.finally(() => this.#running.delete(attempt.outcome));
        return attempt.outcome;
      };
      const { step, attempt } = start;
      return { step, attempt, outcome: this.#strike(start, work), stop: () => stop() };
    },
  });

  async #strike(start: StepStart, work: StruckCall["work"]): Promise<AttemptOutcome> {
    const { id } = start.step;
    if (this.#mortal.isDead()) return NEVER;
    const fault = this.called(id, unansweredBefore(start));
    const before = this.#late.get(id);
    this.#late.delete(id);
    const { pause } = this.#mortal;
    const later = (act: () => Promise<unknown>) => void this.#late.set(id, act);
    const call = { start, work, later, pause, quiet: () => this.#quiet(), die: () => this.die() };
    const outcome = await (fault === null ? work() : FAULTS[fault].strike(call));
    await before?.();
    return outcome;
  }

  /** Waits for what runs, without caring how it ends. */
  readonly rest = async (): Promise<void> => void (await Promise.allSettled(this.#running));

  die(): Promise<never> {
    return this.#mortal.die(this.rest);
  }

  /** Waits until nothing has run for a while. */
  async #quiet(): Promise<void> {
    for (let looks = 0, calm = 0; looks < MOST_LOOKS && calm < 2; looks++) {
      await wait(QUIET_MS);
      calm = this.#running.size === 0 ? calm + 1 : 0;
    }
  }
}

function unansweredBefore({ step, run }: StepStart): string[] {
  const before = ancestorsOf(step.id, run.definition);
  return run.definition
    .filter(({ id, kind }) => kind === "approval" && before.has(id) && !isDone(run, id))
    .map(({ id }) => id);
}
