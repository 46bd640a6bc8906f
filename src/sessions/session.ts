import { createHash } from "node:crypto";
import type { Environment } from "../capture/environment.ts";

/** The agent session that the command runs in. */
export interface Session {
  readonly id: string;
  /** The program that runs the agent. */
  readonly client: string;
}

/** The variables in which agent clients tell the commands that they run which session it is. */
const VARIABLES = [
  ["CLAUDE_CODE_SESSION_ID", "claude-code"],
  ["CODEX_THREAD_ID", "codex"],
  ["CODEX_SESSION_ID", "codex"],
  ["GEMINI_SESSION_ID", "gemini-cli"],
  ["OPENCODE_SESSION_ID", "opencode"],
] as const;

export function findSession(env: Environment): Session | undefined {
  for (const [variable, client] of VARIABLES) {
    const id = env[variable];
    if (id) return { id, client };
  }
  return undefined;
}

/** A session's trail. What a trail's name cannot hold is written as its code between `~`, so that two never meet. */
export function sessionTrail({ id }: Pick<Session, "id">): string {
  return `session/${trailPart(id)}`;
}

/** A sub-agent's own trail, below that of the session that started it. */
export function subagentTrail(session: string, agent: string): string {
  return `${sessionTrail({ id: session })}/agent/${trailPart(agent)}`;
}

/** No part of a trail's name may be one of these. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)\d)(\.|$)|\.lock$/i;

/** Longer ones would not fit, twice, into a trail's name. */
const LONGEST_PART = 80;

/** Somebody else's id as a part of a trail's name; usual ids stay as they are. */
export function trailPart(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_.-]|^[.-]|[.-]$|\.\.|~/g, (part) =>
    Array.from(part, (character) => `~${character.codePointAt(0)?.toString(16)}~`).join(""),
  );
  const whole = name.startsWith("~") ? `_~${name}` : RESERVED.test(name) ? `_~${name}~` : name;
  if (whole.length <= LONGEST_PART) return whole;
  // Two that begin alike must still not meet.
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 24);
  return `${whole.slice(0, LONGEST_PART - 26).replace(/[.-]+$/, "_")}--${digest}`;
}

/** Who adds something, for the handoff: a person's words weigh more than those that an agent noted itself. */
export function provenance(env: Environment, agent: string | undefined): string {
  if (agent !== undefined) return `agent:${agent}`;
  const session = findSession(env);
  return session === undefined ? "person" : `agent:${session.client}`;
}
