import type { Run } from "../workflow/run/run-state.ts";
import type { ChaosLogEvent } from "./chaos-log.ts";
import type { ChaosEvent } from "./schedule.ts";

/** A run that was played to its end under faults: what invariants are asked about. */
export interface PlayedRun {
  readonly schedule: readonly ChaosEvent[];
  readonly events: readonly ChaosLogEvent[];
  /** The events again, one JSON object a line. */
  readonly eventsFile: string;
  /** The copy of the project. */
  readonly root: string;
  /** The run as it was in the end; undefined if it never began. */
  readonly run: Run | undefined;
  /** The run's status, or why it could not be resumed. */
  readonly ended: string;
  /** What the runner did wrong that no file shows. */
  readonly broken?: string | undefined;
}
