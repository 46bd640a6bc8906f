import type { Environment } from "../capture/environment.ts";
import { findSession, type Session } from "../sessions/session.ts";

/** Who acts: a person, or an agent in a session of its client. */
export interface Actor {
  /** The id that checkpoints are recorded under, where one was given. */
  readonly agentId?: string | undefined;
  readonly session?: Session | undefined;
  /** How additions are signed: `person`, or `agent:` and a name. A person's words weigh more in a handoff. */
  readonly signature: string;
}

export interface ActorFacts {
  /** The agent's id as it was given; without one, the environment's. */
  readonly agent?: string | undefined;
  /** The session, where it is known from elsewhere than the environment. */
  readonly session?: Session | undefined;
  /** The program that calls, where only an agent can call through it. */
  readonly client?: string | undefined;
}

export function actorOf(
  env: Environment,
  { agent, session = findSession(env), client }: ActorFacts = {},
): Actor {
  const agentId = (agent ?? env["CHECKPOINT_AGENT"]) || undefined;
  const name = agentId ?? session?.client ?? client;
  return { agentId, session, signature: name === undefined ? "person" : `agent:${name}` };
}
