import { execFileSync } from "node:child_process";
import type { Project } from "../project.ts";

/** Who decides, and how that is known: a typed name is a claim, a session is a fact. */
export interface Decider {
  readonly by: string;
  readonly identity: "given" | "session" | "git" | "user" | "unknown" | `asked by ${string}`;
}

/** An agent goes before git and the system: both would name the person who owns the machine. */
export function deciderOf(project: Project, given: string | undefined): Decider {
  if (given !== undefined && given.trim() !== "") return { by: given.trim(), identity: "given" };
  const { agentId, session, signature } = project.actor;
  if (session !== undefined) return { by: `agent:${session.client}`, identity: "session" };
  if (agentId !== undefined) return { by: signature, identity: "given" };
  const name = gitName(project);
  if (name !== "") return { by: name, identity: "git" };
  const { userName } = project.machine;
  return userName !== "" ? { by: userName, identity: "user" } : { by: "somebody", identity: "unknown" };
}

function gitName({ root, env }: Project): string {
  try {
    const found = execFileSync("git", ["config", "user.name"], {
      cwd: root,
      env,
      encoding: "utf8",
      timeout: 2000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return found.trim();
  } catch {
    // No git, or no name in it.
    return "";
  }
}
