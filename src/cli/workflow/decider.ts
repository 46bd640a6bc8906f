import { execFileSync } from "node:child_process";
import type { Context } from "../context.ts";
import { findSession } from "../../sessions/session.ts";

/** Who decides, and how that is known: what was typed is a claim, what the session says is where it came from. */
export interface Decider {
  readonly by: string;
  readonly identity: "given" | "session" | "git" | "user" | "unknown";
}

/** An agent's session goes before git and the system: both would name the person who owns the machine. */
export function decider({ env, cwd, runtime }: Context, given: string | undefined): Decider {
  if (given !== undefined && given.trim() !== "") return { by: given.trim(), identity: "given" };
  const session = findSession(env);
  if (session !== undefined) return { by: `agent:${session.client}`, identity: "session" };
  const name = gitName(cwd, env);
  if (name !== "") return { by: name, identity: "git" };
  return runtime.userName !== ""
    ? { by: runtime.userName, identity: "user" }
    : { by: "somebody", identity: "unknown" };
}

function gitName(cwd: string, env: Context["env"]): string {
  try {
    const found = execFileSync("git", ["config", "user.name"], {
      cwd,
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
