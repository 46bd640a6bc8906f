import type { Environment } from "../../machine/environment.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Checkpoint } from "../../../core/trails/document.ts";
import type { Command, Task, WorkState } from "../../state/work-state.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { clientWithId } from "../../clients/clients.ts";
import { reduceActivity } from "../activity/reduce-activity.ts";
import { activityWithoutSecrets } from "../events/without-secrets.ts";
import { readActivity } from "../transcripts/read-activity.ts";
import { livenessOf } from "./liveness.ts";
import { type Session, sessionTrail } from "../session.ts";

/**
 * Who reads a state: the agent itself in the middle of its work; the agent itself after its client restarted, which ended
 * everything it was doing; another agent that starts; or anyone else.
 */
export type Reader = "itself" | "itself again" | "another" | "anybody";

const LONGEST_COMMAND = 500;

/** Who reads a trail from here. */
export function readerOf(
  trail: string,
  { env, session }: { readonly env: Environment; readonly session: Session | undefined },
): Reader {
  const isOwn = env["CHECKPOINT_TRAIL"] === trail || (session && sessionTrail(session.id) === trail);
  return isOwn ? "itself" : "anybody";
}

/** Who looks at a session, from which project, and when. */
export interface Viewpoint {
  readonly reader: Reader;
  /** Holds the store. */
  readonly folder: string;
  readonly root: string;
  readonly env: Environment;
  readonly now: Date;
  /** Takes secrets out of what is read here and was never saved. */
  readonly redactor: () => Promise<Redactor>;
}

/**
 * If no live agent works on a state, marks tasks "in progress" and running sub-agents as interrupted, adds what a turn
 * that broke off left in the client's transcript, and names the commands that were running. An agent that is resumed
 * works on its own tasks again; only what ran is lost. A sub-agent that ended may leave a task behind even while its
 * session lives.
 */
export async function markInterrupted(
  found: Checkpoint<WorkState>,
  viewpoint: Viewpoint,
): Promise<WorkState> {
  const { state } = found;
  const { tasks, subagents: agents, session } = state;
  const brokeOff = session?.status === "running";
  const isRunning = (task: Task) => task.status === "in_progress";
  if (!brokeOff && !tasks.some(isRunning) && !agents.some(isAgentRunning)) return state;
  const isWorkedOn = await hasLiveAgent(found, viewpoint);
  const isResumed = viewpoint.reader === "itself again";
  const isLost = (task: Task) =>
    isRunning(task) && (!(isWorkedOn || isResumed) || isOfDeadAgent(task.owner, agents));
  const marked = tasks.map((task) => (isLost(task) ? { ...task, interrupted: true } : task));
  const withTasks = { ...state, tasks: marked };
  if (isWorkedOn) return withTasks;
  const subagents = agents.map((agent) =>
    isAgentRunning(agent) ? { ...(agent as JsonObject), status: "interrupted" } : agent,
  );
  return { ...(brokeOff ? await withLastTurn(withTasks, viewpoint) : withTasks), subagents };
}

/** Adds what only the transcript has of a turn that broke off: hooks report a call once it has ended. */
async function withLastTurn(state: WorkState, { root, env, redactor }: Viewpoint): Promise<WorkState> {
  const { id: sessionId, cwd: folder = root, transcript_path: named, ...session } = state.session!;
  const client = clientWithId(session.client);
  if (client === undefined) return state;
  const from = state.activity?.read;
  const found = readActivity({ client, sessionId, root, env, folder, named, from, isOver: true });
  if (found === undefined) return state;
  const activity = activityWithoutSecrets(found, await redactor());
  const last = structuredClone(state);
  reduceActivity(last, activity);
  const shell = (command: string) => ["sh", "-c", command.slice(0, LONGEST_COMMAND)];
  const ended = activity.entries.flatMap((entry): Command[] =>
    entry.kind !== "step" || entry.command === undefined
      ? []
      : [{ argv: shell(entry.command), ok: entry.ok, at: entry.at }],
  );
  const running = (activity.inFlight ?? []).map(({ command, at }): Command => {
    return { argv: shell(command), ok: null, at, interrupted: true };
  });
  return { ...last, commands: [...last.commands, ...ended, ...running] };
}

function isAgentRunning(agent: unknown): boolean {
  return textOf(agent, "status") === "running";
}

/** Whether an agent is working on the state of a checkpoint. */
export async function hasLiveAgent(found: Checkpoint<WorkState>, viewpoint: Viewpoint): Promise<boolean> {
  const { reader } = viewpoint;
  if (reader === "itself" || reader === "itself again") return reader === "itself";
  const { status, client } = await livenessOf(found, viewpoint);
  // An unknown client counts as alive for an onlooker, but a session that starts after a crash must not wait for a dead one.
  if (client === "unknown" && reader === "another") return false;
  return status === "working" || status === "waiting" || status === "unknown";
}

/** Whether the owner is a sub-agent that has ended. An owner that is not a known sub-agent may still live. */
function isOfDeadAgent(owner: string | null, agents: readonly unknown[]): boolean {
  if (owner === null) return false;
  const named = agents.filter((agent) => [textOf(agent, "id"), textOf(agent, "type")].includes(owner));
  return named.length > 0 && !named.some(isAgentRunning);
}
