import type { Environment } from "../machine/environment.ts";
import { CheckpointError } from "../../core/errors.ts";
import { CLIENTS } from "../clients/clients.ts";
import { clientOfEnvironment } from "../clients/find-client.ts";
import type { Session } from "../sessions/session.ts";

/** Who acts: a person, or an agent in a session of its client. */
export interface Actor {
  /** The id that checkpoints are recorded under, where one was given. */
  readonly agentId?: string | undefined;
  /** The tier that it claims. It is recorded and grants nothing. */
  readonly tier?: number | undefined;
  readonly session?: Session | undefined;
  /** What shows the gate that it is this agent. Never recorded. */
  readonly token?: string | undefined;
  /** Whether there is a terminal, with a person at it or not. */
  readonly isAtTerminal?: (() => boolean) | undefined;
  /** The process that started this one, where each call has its own. */
  readonly parentPid?: (() => number) | undefined;
  /** A person, whatever agent the environment or the config names: for answers that only a person gives. */
  readonly isPerson?: true;
  /** How additions are signed: `person`, or `agent:` and a name. A person's words weigh more in a handoff. */
  readonly signature: string;
}

/** What the caller knows of the actor. The rest comes from the environment. */
export interface ActorFacts extends Pick<Actor, "tier" | "session" | "isAtTerminal" | "parentPid"> {
  readonly agent?: string | undefined;
  /** The program that calls, where only an agent can call through it. */
  readonly client?: string | undefined;
}

export function actorOf(
  env: Environment,
  { agent, tier = tierFrom(env), session = findSession(env), client, ...process }: ActorFacts = {},
): Actor {
  const agentId = (agent ?? env["CHECKPOINT_AGENT"]) || undefined;
  const name = agentId ?? session?.client ?? client ?? clientOfEnvironment(env)?.id;
  const token = env["CHECKPOINT_AGENT_TOKEN"] || undefined;
  const signature = name === undefined ? "person" : `agent:${name}`;
  return { agentId, tier, session, token, signature, ...process };
}

/** The session of the agent client that this environment belongs to. */
export function findSession(env: Environment): Session | undefined {
  for (const { id: client, sessionVariables = [] } of Object.values(CLIENTS)) {
    const id = sessionVariables.map((variable) => env[variable]).find(Boolean);
    if (id !== undefined) return { id, client };
  }
  return undefined;
}

function tierFrom(env: Environment): number | undefined {
  const text = env["CHECKPOINT_TIER"];
  if (!text) return undefined;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new CheckpointError("usage", `$CHECKPOINT_TIER is "${text}", where a whole number is needed.`, {
    hint: "checkpoint help environment",
    details: { variable: "CHECKPOINT_TIER" },
  });
}
