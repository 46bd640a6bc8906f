import type { Capability } from "../../work/project/capability.ts";
import type { Project } from "../../work/project/project.ts";
import type { PostgresOptions } from "./store/connection-options.ts";

/** What stands in a shared store's database beside the store, for those who work in it. */
export interface SharedWork {
  /** Makes its tables, or brings them up to date. */
  migrate(store: PostgresOptions, role: string | undefined): Promise<void>;
  status(project: Project): Promise<WorkStatus | null>;
}

/** Who works in a shared store, and what waits. */
export interface WorkStatus {
  readonly workers: readonly WorkerStatus[];
  /** Steps that wait, by queue. */
  readonly queues: Readonly<Record<string, number>>;
  /** How long until the first claim of a worker expires, if there is one; below zero, it has. */
  readonly oldest_lease_ms: number | null;
}

export interface WorkerStatus {
  readonly host: string;
  readonly pid: number;
  readonly queues: readonly string[];
  readonly slots: number;
  readonly running: number;
  /** What it last could not run, and why. */
  readonly note: string | null;
}

/** A capability that works in shared stores. */
export interface WorksInStores extends Capability {
  readonly sharedWork?: () => Promise<SharedWork>;
}
