import { stripVTControlCharacters } from "node:util";
import { readBounded } from "../../../work/machine/read-bounded.ts";
import type { Step } from "../definition/types.ts";
import type { RunEvent } from "../run/events.ts";
import type { AskedQuestion, LiveState } from "./live-frame.ts";

/** The steps of a run as they were when its view began. */
export interface KnownSteps {
  readonly steps: readonly Pick<Step, "id" | "kind">[];
  readonly done: ReadonlySet<string>;
  /** Takes the values of secret inputs out of what is shown. */
  readonly mask: (text: string) => string;
  /** What Ctrl-C does; it pauses the run unless this says otherwise. */
  readonly ctrlC?: string;
}

/** Where a run stands, as its events tell it. */
export class LiveProgress {
  readonly #known: KnownSteps;
  readonly #counted: readonly string[];
  readonly #done: Set<string>;
  readonly #now: () => Date;
  readonly #sinceMs: number;
  readonly #running = new Map<string, { attempt: number; sinceMs: number; output: string }>();
  readonly #retrying = new Map<string, number>();
  readonly #touched = new Set<string>();
  #isPausing = false;

  constructor(known: KnownSteps, now: () => Date) {
    this.#known = known;
    // Joins do no work.
    this.#counted = known.steps.filter(({ kind }) => kind !== "join").map(({ id }) => id);
    this.#done = new Set(known.done);
    this.#now = now;
    this.#sinceMs = now().getTime();
  }

  pause(): void {
    this.#isPausing = true;
  }

  note(event: RunEvent): void {
    if (!("step" in event)) return;
    const { step } = event;
    this.#touched.add(step);
    this.#retrying.delete(step);
    if (event.type === "step-started") {
      const { attempt, output } = event;
      this.#running.set(step, { attempt, output, sinceMs: this.#now().getTime() });
      return;
    }
    this.#running.delete(step);
    if (event.type === "step-completed" || event.type === "step-skipped") this.#done.add(step);
    if (event.type === "approval-decided" && event.approved) this.#done.add(step);
    if (event.type === "step-interrupted") this.#touched.delete(step);
    if (event.type === "step-failed" && event.retry_at !== null)
      this.#retrying.set(step, Date.parse(event.retry_at));
  }

  state(asked: AskedQuestion | undefined): LiveState {
    return {
      running: [...this.#running].map(([step, { attempt, sinceMs, output }]) => ({
        step,
        attempt,
        sinceMs,
        said: this.#known.mask(stripVTControlCharacters(lastLine(output))),
      })),
      retrying: [...this.#retrying].map(([step, atMs]) => ({ step, atMs })),
      // A question that was asked before a resume has no event in this one.
      waiting: this.#counted.filter(
        (id) => !this.#done.has(id) && !this.#touched.has(id) && id !== asked?.step,
      ),
      completed: this.#counted.filter((id) => this.#done.has(id)).length,
      total: this.#counted.length,
      sinceMs: this.#sinceMs,
      asked,
      isPausing: this.#isPausing,
      ctrlC: this.#known.ctrlC,
    };
  }
}

const TAIL_BYTES = 2048;

/** The last line that a running step has printed; empty before it has. */
function lastLine(path: string): string {
  const printed = readBounded(path, TAIL_BYTES, "end").bytes?.toString("utf8") ?? "";
  // A line that draws over itself, as progress bars do, shows its newest state.
  return printed.split(/[\r\n]+/).findLast((line) => line.trim() !== "") ?? "";
}
