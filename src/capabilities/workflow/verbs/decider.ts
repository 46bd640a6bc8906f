import type { Answerer } from "../../../work/project/answering.ts";

/** Who decides, and how that is known. */
export interface Decider {
  readonly by: string;
  readonly identity: "given" | "user" | "unknown" | `asked by ${string}`;
}

/**
 * An agent is recorded as itself: the name that it gives could be a person's. Git is not asked who the person is: a
 * repository's config names anybody.
 */
export function deciderOf({ project, agent }: Answerer, given?: string): Decider {
  if (agent !== undefined) return { by: `agent:${agent}`, identity: "given" };
  if (given !== undefined && given.trim() !== "") return { by: given.trim(), identity: "given" };
  const { userName } = project.machine;
  return userName !== "" ? { by: userName, identity: "user" } : { by: "unknown", identity: "unknown" };
}
