import { createHash } from "node:crypto";

/** The agent session that the command runs in. */
export interface Session {
  readonly id: string;
  readonly client: string;
}

/** The trail of the project itself: what a person types outside of any session goes there. */
export const PROJECT_TRAIL = "main";

/** A session's trail. Characters that a trail's name cannot hold become their code between `~`, so that two ids never collide. */
export function sessionTrail(id: string): string {
  return `session/${trailPart(id)}`;
}

/** A sub-agent's own trail, below that of the session that started it. */
export function subagentTrail(session: string, agent: string): string {
  return `${sessionTrail(session)}/agent/${trailPart(agent)}`;
}

/** Parts that no trail's name may have. */
const RESERVED = /^(con|prn|aux|nul|(com|lpt)\d)(\.|$)|\.lock$/i;

/** Two longer parts would not fit into a trail's name. */
const LONGEST_PART = 80;

/** A foreign id as a part of a trail's name. Usual ids stay as they are. */
export function trailPart(id: string): string {
  const name = id.replaceAll(/[^A-Za-z0-9_.-]|^[.-]|[.-]$|\.\.|~/g, (part) =>
    Array.from(part, (character) => `~${character.codePointAt(0)?.toString(16)}~`).join(""),
  );
  const whole = name.startsWith("~") ? `_~${name}` : RESERVED.test(name) ? `_~${name}~` : name;
  if (whole.length <= LONGEST_PART) return whole;
  // Two ids that start alike must not collide either.
  const digest = createHash("sha256").update(id).digest("hex").slice(0, 24);
  return `${whole.slice(0, LONGEST_PART - 26).replace(/[.-]+$/, "_")}--${digest}`;
}
