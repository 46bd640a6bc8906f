import type { Cairn } from "../state/cairn.ts";
import type { CommitOptions, Committed } from "../../core/trails/document.ts";
import type { Trail } from "../../core/trails/trail.ts";
import { completeWorkState, type WorkState } from "../state/work-state.ts";
import { gates } from "./gate.ts";

/** A change of one trail's work state, ready to be committed: nothing secret is in it. */
export interface StateChange {
  readonly trail: Trail<WorkState>;
  /** Runs again if another writer was quicker. */
  readonly change: (state: WorkState) => WorkState | void;
  readonly options: CommitOptions;
  /** For what hooks save: whether a turn begins with it. */
  readonly beginsTurn?: boolean;
}

/**
 * The one commit of work: verbs and hooks end here. Where the project is governed, `cairn` asks the gate and records the
 * answer in the same transaction; here the checkpoint gets the agent and the tier that the ledger knows, and the ledger
 * learns what becomes of tasks.
 */
export async function commitState(
  cairn: Cairn,
  { trail, change, options, beginsTurn }: StateChange,
): Promise<{ readonly committed: Committed; readonly state: WorkState }> {
  const gate = gates.get(cairn);
  if (beginsTurn !== undefined) gate?.setTurn(beginsTurn);
  let state: WorkState | undefined;
  const committed = await trail.commit(
    (draft) => {
      completeWorkState(draft, trail.name);
      gate?.watchTasks(trail.name, draft, () => state as WorkState);
      return (state = change(draft) ?? draft);
    },
    gate ? { ...options, agent_id: options.agent_id ?? gate.agent, agent_tier: gate.tier() } : options,
  );
  return { committed, state: state as WorkState };
}
