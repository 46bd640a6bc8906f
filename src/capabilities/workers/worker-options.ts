import type { TrustOptions } from "./checked-step.ts";

export interface WorkerOptions extends TrustOptions {
  /** The queues it takes steps from. */
  readonly queues?: readonly string[] | undefined;
  /** How many steps it runs at the same time. */
  readonly slots?: number | undefined;
  /** After this long without a sign of life its steps are given to others. */
  readonly leaseMs?: number | undefined;
  /** The biggest file that a step may register: 64 MB unless given. */
  readonly maxFileBytes?: number | undefined;
  /** How long archived runs are kept: 30 days unless given. */
  readonly keepDays?: number | undefined;
  /** How many archived runs of a workflow are kept: 10,000 unless given. */
  readonly keepRuns?: number | undefined;
  /** Starts the runs that are due by the clock, and names them. */
  readonly startDue?: (() => Promise<readonly string[]>) | undefined;
  /** Takes nothing more, and ends when what it runs has ended. */
  readonly drain: AbortSignal;
  /** Called once it waits for steps: the store is open and knows of it. */
  readonly onReady?: (() => void) | undefined;
  /** Told what it does, in words, for a log. Never holds a secret. */
  readonly onNote?: ((note: string) => void) | undefined;
}
