import { appendFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { MISSING, readBounded } from "../../capture/files/read-bounded.ts";
import type { HookEvent } from "../events/hook-event.ts";

const LARGEST_BYTES = 1024 * 1024;

/**
 * Tells the agent's own shell which trail is its own, so that a `checkpoint` typed there goes to the same place. One
 * client has a file for that, which it sources before every command. Never throws: without it the session's
 * id in the environment leads to the same trail.
 */
export function exportTrail({ client, sessionId }: HookEvent, trail: string, env: Environment): void {
  const path = env["CLAUDE_ENV_FILE"];
  if (client !== "claude" || !path || !isAbsolute(path)) return;
  const lines = `export CHECKPOINT_TRAIL=${quoted(trail)}\nexport CHECKPOINT_SESSION=${quoted(sessionId)}\n`;
  const { bytes, problem } = readBounded(path, LARGEST_BYTES);
  if (bytes === undefined && problem !== MISSING) return;
  const before = bytes?.toString("utf8") ?? "";
  if (before.endsWith(lines)) return;
  try {
    appendFileSync(path, before === "" || before.endsWith("\n") ? lines : `\n${lines}`, { mode: 0o600 });
  } catch {
    // Nothing is lost by it.
  }
}

/** A word that a shell takes as it stands, whatever is in it. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
