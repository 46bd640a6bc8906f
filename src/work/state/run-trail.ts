/** The runs of workflows, as far as everybody knows them: by the trails that they are kept in, and by their status. */
export const RUN_TRAIL_PREFIX = "run/";

export const runTrail = (id: string): string => `${RUN_TRAIL_PREFIX}${id}`;

export type RunStatus =
  | "pending"
  | "running"
  | "awaiting_approval"
  | "paused"
  | "completed"
  | "failed"
  | "cancelled"
  | "archived";

/** Runs in these states are over; the others can be resumed. */
const OVER: readonly RunStatus[] = ["completed", "cancelled", "archived"];

export const isOver = (status: RunStatus): boolean => OVER.includes(status);

/** What can be done about a run whose state cannot be read. */
export const damagedRunHint = (id: string): string =>
  `To continue from an intact checkpoint, in a new run: checkpoint list --trail ${runTrail(id)}, then checkpoint resume ${id} --from ID\nTo put it aside: checkpoint archive ${id}`;
