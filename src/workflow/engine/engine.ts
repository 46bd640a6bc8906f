import type { Json } from "../../objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { Run } from "../run/run-state.ts";
import type { Outcome } from "../run/settle.ts";
import type { AttemptFolder } from "./attempt-folder.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** A step to be run, and everything that it may know. */
export interface StepStart {
  readonly step: Step;
  readonly attempt: number;
  readonly run: Run;
  readonly folder: AttemptFolder;
  /** Results of the steps that are done. Asked for only when somebody reads them: there may be thousands. */
  readonly results: () => Readonly<Record<string, Json>>;
  /** For a step with an agent: the briefing, on its stdin and in a file. */
  readonly handoff?: string;
}

/** An attempt that is under way. */
export interface RunningAttempt {
  readonly step: Step;
  readonly attempt: number;
  /** Resolves when it has ended and its result is proven and synced. Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Ends it, with everything that it started; gently first. Its outcome is then `stopped`, unless it was quicker. */
  stop(): void;
}

/** Decides where a step runs. The store stays the truth: an engine keeps nothing that matters. */
export interface Engine {
  start(start: StepStart): RunningAttempt;
  /** Makes ready what a start is going to need, while there is time for it. The start may never come. */
  prepare(folder: AttemptFolder): void;
  /** Goes on watching an attempt that another runner started and that still runs. */
  attach(start: StepStart, identity: ProcessIdentity): RunningAttempt;
}
