import type { Environment } from "../../capture/environment.ts";
import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { asList, asRecord, own, textOf } from "../../text/untrusted.ts";
import { livenessOf } from "./liveness.ts";
import { findSession, type Session, sessionTrail } from "../session.ts";

/**
 * Who reads a state: the agent itself in the middle of its work; itself after its client restarted, which ended all that
 * it did; another agent that starts; or anybody else.
 */
export type Reader = "itself" | "itself again" | "another" | "anybody";

/** Who reads a trail from here. */
export function readerOf(
  trail: string,
  { env, session = findSession(env) }: { readonly env: Environment; readonly session?: Session | undefined },
): Reader {
  const isOwn = env["CHECKPOINT_TRAIL"] === trail || (session && sessionTrail(session) === trail);
  return isOwn ? "itself" : "anybody";
}

/** Who looks at a session, from which project, and when. */
export interface Viewpoint {
  readonly reader: Reader;
  /** Holds the store. */
  readonly folder: string;
  readonly now: Date;
}

/** The state, with a mark on every task that is "in progress" though no live agent works on it. */
export async function markInterrupted(
  found: Checkpoint<WorkState>,
  viewpoint: Viewpoint,
): Promise<WorkState> {
  const { state } = found;
  const tasks = asList(own(state, "tasks"));
  const isRunning = (task: unknown) => textOf(task, "status") === "in_progress";
  if (!tasks.some(isRunning)) return state;
  const isWorkedOn = await hasLiveAgent(found, viewpoint);
  const agents = asList(own(state, "subagents"));
  const isLost = (task: unknown) =>
    isRunning(task) && (!isWorkedOn || isOfDeadAgent(textOf(task, "owner"), agents));
  if (!tasks.some(isLost)) return state;
  const marked = tasks.map((task) => (isLost(task) ? { ...asRecord(task), interrupted: true } : task));
  return { ...state, tasks: marked as WorkState["tasks"] };
}

/** Whether an agent is working on the state of a checkpoint. */
export async function hasLiveAgent(found: Checkpoint<WorkState>, viewpoint: Viewpoint): Promise<boolean> {
  const { reader } = viewpoint;
  if (reader === "itself" || reader === "itself again") return reader === "itself";
  const { status, client } = await livenessOf(found, viewpoint);
  // An unknown client counts as alive for an onlooker; but a session that starts after a crash must not wait for the dead.
  if (client === "unknown" && reader === "another") return false;
  return status === "working" || status === "waiting" || status === "unknown";
}

/** Whether the owner is a sub-agent that has ended. An owner that is not a known sub-agent may still live. */
function isOfDeadAgent(owner: string | undefined, agents: readonly unknown[]): boolean {
  if (owner === undefined) return false;
  const named = agents.filter((agent) => [textOf(agent, "id"), textOf(agent, "type")].includes(owner));
  return named.length > 0 && !named.some((agent) => textOf(agent, "status") === "running");
}
