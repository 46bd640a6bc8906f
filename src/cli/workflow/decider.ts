import { execFileSync } from "node:child_process";
import type { Context } from "../context.ts";
import { findSession } from "../session.ts";

/** Who decides, and how that is known: what was typed is a claim, what the session says is where it came from. */
export interface Decider {
  readonly by: string;
  readonly identity: "given" | "session" | "git" | "user" | "unknown";
}

/** An agent's session goes before git and the system: both would name the person who owns the machine. */
export function decider({ env, cwd }: Context, given: string | undefined): Decider {
  if (given !== undefined && given.trim() !== "") return { by: given.trim(), identity: "given" };
  const session = findSession(env);
  if (session !== undefined) return { by: `agent:${session.client}`, identity: "session" };
  const name = gitName(cwd, env);
  if (name !== "") return { by: name, identity: "git" };
  const user = env["USER"] || env["LOGNAME"] || env["USERNAME"];
  return user ? { by: user, identity: "user" } : { by: "somebody", identity: "unknown" };
}

function gitName(cwd: string, env: Context["env"]): string {
  try {
    const options = { cwd, env, encoding: "utf8", timeout: 2000, stdio: ["ignore", "pipe", "ignore"] } as const;
    return execFileSync("git", ["config", "user.name"], options).trim();
  } catch {
    // No git, or no name in it.
    return "";
  }
}
