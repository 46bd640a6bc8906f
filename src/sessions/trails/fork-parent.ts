import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { readAll } from "../../capture/files/read-bounded.ts";
import { textOf } from "../../text/untrusted.ts";
import type { HookEvent } from "../events/hook-event.ts";

const ID = String.raw`[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}`;

/**
 * The session that this one was forked from, where that is certain; a guess would mix two pieces of work. Found in
 * the transcript, whose first lines name the parent (Codex always, Claude Code when it wrote them already), or in
 * the command that started the client: `claude --resume <id> --fork-session`.
 */
export function forkParent(event: HookEvent, env: Environment): string | undefined {
  const isFork = textOf(event.fields, "source") === "fork";
  if (!isFork && event.client !== "codex") return undefined;
  const parent = inTranscript(event) ?? (isFork ? inCommand(env) : undefined);
  return parent === event.sessionId ? undefined : parent;
}

/** Enough for the first lines, which for some clients hold all instructions. */
const HEAD_BYTES = 256 * 1024;

function inTranscript({ client, fields, sessionId }: HookEvent): string | undefined {
  const path = textOf(fields, "transcript_path");
  const head = path !== undefined && isAbsolute(path) ? readHead(path) : undefined;
  if (head === undefined) return undefined;
  if (client === "codex") return new RegExp(`"forked_from_id":"(${ID})"`).exec(head)?.[1];
  const told = new RegExp(`"forkedFrom":\\{"sessionId":"(${ID})"`).exec(head)?.[1];
  // Lines that were copied may still bear the name of the session that they were written in.
  return told ?? new RegExp(`"sessionId":"(?!${escape(sessionId)}")(${ID})"`).exec(head)?.[1];
}

function escape(text: string): string {
  return text.replaceAll(/[^\w-]/g, String.raw`\$&`);
}

function readHead(path: string): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(file);
    return stats.isFile() ? readAll(file, Math.min(stats.size, HEAD_BYTES)).toString("utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Where the system shows the command lines of processes as files. */
function inCommand(env: Environment): string | undefined {
  const pid = env["CLAUDE_PID"] ?? "";
  if (!/^\d{1,10}$/.test(pid)) return undefined;
  const words = procCommand(pid);
  const at = words.findIndex((word) => word === "--resume" || word === "-r");
  const inline = words.find((word) => word.startsWith("--resume="))?.slice("--resume=".length);
  const id = inline ?? (at < 0 ? undefined : words[at + 1]);
  return id !== undefined && new RegExp(`^${ID}$`).test(id) ? id : undefined;
}

function procCommand(pid: string): string[] {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${pid}/cmdline`, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    // The system gives no size for it.
    return readAll(file, 64 * 1024)
      .toString("utf8")
      .split("\0");
  } catch {
    return [];
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
