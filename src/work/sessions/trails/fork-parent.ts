import { isAbsolute } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { readBounded } from "../../machine/read-bounded.ts";
import { commandLineOf } from "../../machine/system-processes.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { CLIENTS } from "../../clients/clients.ts";
import type { HookEvent } from "../events/hook-event.ts";

/** Enough for the first lines, which may contain all instructions. */
const HEAD_BYTES = 256 * 1024;

/**
 * The session that this one was forked from, if that is certain; a guess would mix two pieces of work. Found in the
 * transcript, whose first lines name the parent once they are written, or in the command that started the client.
 */
export function forkParent({ client, fields, sessionId }: HookEvent, env: Environment): string | undefined {
  const { forkedFrom, forksSilently, pidVariable = "" } = CLIENTS[client];
  const isFork = textOf(fields, "source") === "fork";
  if (!isFork && !forksSilently) return undefined;
  const path = textOf(fields, "transcript_path") ?? "";
  const head = isAbsolute(path) ? readBounded(path, HEAD_BYTES, "cut").bytes?.toString("utf8") : undefined;
  const named = forkedFrom?.(head ?? "", sessionId);
  const parent = named ?? (isFork ? inCommand(env[pidVariable] ?? "") : undefined);
  return parent === sessionId ? undefined : parent;
}

/** `… --resume <id> --fork-session`. Only on systems that show command lines in /proc. */
function inCommand(pid: string): string | undefined {
  if (!/^\d{1,10}$/.test(pid)) return undefined;
  const command = ` ${commandLineOf(Number(pid)).join(" ")} `;
  return / (?:--resume[= ]|-r )([0-9a-fA-F]{8}-[0-9a-fA-F-]{27}) /.exec(command)?.[1];
}
