import type { WorkState } from "../checkpoints/work-state.ts";
import { asList, asRecord, own, textOf } from "../handoff/untrusted.ts";

/**
 * The state with every task marked that is "in progress" though no live agent works on it. After a start nobody
 * does; in a session that goes on, those are lost whose sub-agent has ended.
 */
export function markInterrupted(state: WorkState, isGoingOn: boolean): WorkState {
  const agents = asList(own(state, "subagents"));
  const isLost = (task: unknown) =>
    textOf(task, "status") === "in_progress" && (!isGoingOn || isOfDeadAgent(textOf(task, "owner"), agents));
  const tasks = asList(own(state, "tasks"));
  if (!tasks.some(isLost)) return state;
  const marked = tasks.map((task) => (isLost(task) ? { ...asRecord(task), interrupted: true } : task));
  return { ...state, tasks: marked as WorkState["tasks"] };
}

/** Only what is known to be a sub-agent can be known to have ended. */
function isOfDeadAgent(owner: string | undefined, agents: readonly unknown[]): boolean {
  if (owner === undefined) return false;
  const named = agents.filter((agent) => [textOf(agent, "id"), textOf(agent, "type")].includes(owner));
  return named.length > 0 && !named.some((agent) => textOf(agent, "status") === "running");
}
