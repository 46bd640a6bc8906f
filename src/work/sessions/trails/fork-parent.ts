import { isAbsolute } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { commandLineOf } from "../../machine/system-processes.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import type { HookEvent } from "../events/hook-event.ts";

const ID = String.raw`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}`;

/**
 * The session that this one was forked from, if that is certain; a guess would mix two pieces of work. Found in the
 * transcript, whose first lines name the parent (Codex always, Claude Code once it has written them), or in the command
 * that started the client: `claude --resume <id> --fork-session`.
 */
export function forkParent(event: HookEvent, env: Environment): string | undefined {
  const isFork = textOf(event.fields, "source") === "fork";
  if (!isFork && event.client !== "codex") return undefined;
  const parent = inTranscript(event) ?? (isFork ? inCommand(env) : undefined);
  return parent === event.sessionId ? undefined : parent;
}

/** Enough for the first lines, which may contain all instructions. */
const HEAD_BYTES = 256 * 1024;

function inTranscript({ client, fields, sessionId }: HookEvent): string | undefined {
  const path = textOf(fields, "transcript_path");
  if (path === undefined || !isAbsolute(path)) return undefined;
  const head = readBounded(path, HEAD_BYTES, "cut").bytes?.toString("utf8") ?? "";
  if (client === "codex") return new RegExp(`"forked_from_id":"(${ID})"`).exec(head)?.[1];
  const named = new RegExp(`"forkedFrom":\\{"sessionId":"(${ID})"`).exec(head)?.[1];
  // Copied lines may still name the session that wrote them.
  return named ?? new RegExp(`"sessionId":"(?!${escape(sessionId)}")(${ID})"`).exec(head)?.[1];
}

function escape(text: string): string {
  return text.replaceAll(/[^\w-]/g, String.raw`\$&`);
}

/** Only on systems that show command lines in /proc. */
function inCommand(env: Environment): string | undefined {
  const pid = env["CLAUDE_PID"] ?? "";
  if (!/^\d{1,10}$/.test(pid)) return undefined;
  const words = commandLineOf(Number(pid));
  const at = words.findIndex((word) => word === "--resume" || word === "-r");
  const inline = words.find((word) => word.startsWith("--resume="))?.slice("--resume=".length);
  const id = inline ?? (at < 0 ? undefined : words[at + 1]);
  return id !== undefined && new RegExp(`^${ID}$`).test(id) ? id : undefined;
}
