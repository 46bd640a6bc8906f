import type { RunStatus } from "./run-state.ts";

/** The exit status of a command that ran or resumed a workflow: part of the public contract. */
const STATUS: Readonly<Record<RunStatus, number>> = {
  completed: 0,
  pending: 1,
  running: 1,
  failed: 1,
  cancelled: 1,
  archived: 1,
  awaiting_approval: 4,
  paused: 130,
};

export const exitStatusOf = (status: RunStatus): number => STATUS[status];
