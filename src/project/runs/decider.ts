import type { Project } from "../project.ts";

/** Who decides, and how that is known: a typed name is a claim, a session is a fact. */
export interface Decider {
  readonly by: string;
  readonly identity: "given" | "session" | "user" | "unknown" | `asked by ${string}`;
}

/**
 * An agent goes before the system, which would name the person who owns the machine. Git is not asked: a repository's
 * config names anybody.
 */
export function deciderOf(project: Project, given: string | undefined): Decider {
  if (given !== undefined && given.trim() !== "") return { by: given.trim(), identity: "given" };
  const { agentId, session, signature } = project.actor;
  if (session !== undefined) return { by: `agent:${session.client}`, identity: "session" };
  if (agentId !== undefined) return { by: signature, identity: "given" };
  const { userName } = project.machine;
  return userName !== "" ? { by: userName, identity: "user" } : { by: "unknown", identity: "unknown" };
}
