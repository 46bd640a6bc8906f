import type { Cairn } from "../checkpoints/cairn.ts";
import type { WorkState } from "../checkpoints/work-state.ts";
import type { Governance } from "../governance/gate/governance.ts";

/** The gate that the commits of an open store go through. */
export interface Gate {
  /** The tier that the ledger gives to who acts. */
  readonly tier: () => number;
  /** Puts what the ledger knows into a checkpoint of the work: the agent's open tasks, and the ledger itself. */
  readonly observe: (trail: string, state: WorkState) => void;
  /** Records what becomes of tasks, in the commit that changes them. */
  readonly watchTasks: (trail: string, before: WorkState, after: () => WorkState) => void;
}

/** The gates of open stores, and their ledgers. A store that is not governed has neither, and loads nothing of them. */
export const gates = new WeakMap<Cairn, Gate>();
export const ledgers = new WeakMap<Cairn, Promise<Governance>>();
