import { appendFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { MISSING, readBounded } from "../../capture/files/read-bounded.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { HookEvent } from "../events/hook-event.ts";

const LARGEST_BYTES = 1024 * 1024;

/**
 * Tells the agent's shell which trail is its own, so that a `checkpoint` command there uses the same one. Claude Code
 * has a file for that, which it sources before every command. Never throws: without it, the session's id in the
 * environment leads to the same trail.
 */
export function exportToShell({ client, sessionId }: HookEvent, trail: string, env: Environment): void {
  const path = env["CLAUDE_ENV_FILE"];
  if (client !== "claude" || !path || !isAbsolute(path)) return;
  const lines = `export CHECKPOINT_TRAIL=${shellWord(trail)}\nexport CHECKPOINT_SESSION=${shellWord(sessionId)}\n`;
  const { bytes, problem } = readBounded(path, LARGEST_BYTES);
  if (bytes === undefined && problem !== MISSING) return;
  const before = bytes?.toString("utf8") ?? "";
  if (before.endsWith(lines)) return;
  try {
    appendFileSync(path, before === "" || before.endsWith("\n") ? lines : `\n${lines}`, { mode: 0o600 });
  } catch {
    // Only a convenience: see above.
  }
}
