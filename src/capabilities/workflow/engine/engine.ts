import type { Json } from "../../../core/objects/json.ts";
import type { Step } from "../definition/types.ts";
import type { Run } from "../run/run-state.ts";
import type { AttemptOutcome } from "../run/settle.ts";
import type { AttemptFolder } from "./attempt-folder.ts";
import type { ProcessIdentity } from "./process-identity.ts";

/** One try of a step, and where its files are. */
export interface Attempt {
  readonly step: Step;
  readonly attempt: number;
  readonly run: Run;
  readonly folder: AttemptFolder;
}

/** A step to run, and everything that it may know. */
export interface StepStart extends Attempt {
  /** Results of the completed steps. Computed only when read: there may be thousands. */
  readonly results: () => Readonly<Record<string, Json>>;
  /** For a step with an agent: the briefing, on its stdin and in a file. */
  readonly handoff?: string | undefined;
}

export interface RunningAttempt {
  readonly step: Step;
  readonly attempt: number;
  /** Resolves when it has ended and its result is verified and synced. Never rejects. */
  readonly outcome: Promise<AttemptOutcome>;
  /** Ends it and everything that it started, gently first. Its outcome is `stopped`, unless it ended by itself before. */
  stop(): void;
}

/** Decides where a step runs. The store is the truth: an engine keeps no state that matters. */
export interface Engine {
  start(start: StepStart): RunningAttempt;
  /** Watches an attempt that another runner started and that still runs. */
  attach(start: StepStart, identity: ProcessIdentity): RunningAttempt;
}
