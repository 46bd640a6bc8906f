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

/** A session's trail. What a trail's name cannot hold is written as `~` and its code, so that two never meet. */
export function sessionTrail({ id }: Session): string {
  const name = id.replaceAll(/[^A-Za-z0-9_.-]|^[.-]|[.-]$|\.\.|~/g, (part) =>
    Array.from(part, (character) => `~${character.codePointAt(0)?.toString(16)}`).join(""),
  );
  return `session/${name.startsWith("~") ? `_${name}` : name}`.slice(0, 200);
}

/** Who adds something, for the handoff: a person's words weigh more than those that an agent noted itself. */
export function provenance(env: Environment, agent: string | undefined): string {
  if (agent !== undefined) return `agent:${agent}`;
  const session = findSession(env);
  return session === undefined ? "person" : `agent:${session.client}`;
}
