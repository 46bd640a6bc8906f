import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { RunEvent } from "../workflow/run/events.ts";
import type { ChaosFault } from "./schedule.ts";

/** What happened in a run under faults: the events of the run, and what chaos did to it. */
export type ChaosLogEvent =
  | RunEvent
  | {
      readonly type: "called";
      readonly step: string;
      readonly call: number;
      readonly fault: ChaosFault | null;
      /** Questions before this step that nobody has answered: there must be none. */
      readonly unanswered: readonly string[];
    }
  /** A question was answered while no runner was alive. */
  | { readonly type: "answered"; readonly step: string; readonly option: string | null };

/** The log of one run, in a file that outlives the runner: one event a line. */
export class ChaosLog {
  readonly file: string;
  readonly events: ChaosLogEvent[];

  constructor(file: string) {
    this.file = file;
    const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").filter(Boolean) : [];
    this.events = lines.map((line) => JSON.parse(line) as ChaosLogEvent);
  }

  add(event: ChaosLogEvent): void {
    this.events.push(event);
    appendFileSync(this.file, `${JSON.stringify(event)}\n`);
  }

  get calls() {
    return this.events.filter((event) => event.type === "called");
  }

  callsOf(step: string): number {
    return this.calls.filter((call) => call.step === step).length;
  }

  get strikes(): number {
    return this.calls.filter(({ fault }) => fault !== null).length;
  }
}
