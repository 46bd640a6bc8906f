import { isAbsolute } from "node:path";
import { statIfAny } from "../../capture/files/read-bounded.ts";
import { textOf } from "../../text/untrusted.ts";
import { CLIENT_INFO } from "../client-info.ts";
import type { SessionContext } from "../context.ts";
import type { HookEvent } from "../events/hook-event.ts";

/**
 * The folder that the session was started in, as far as is known. The one that the client names wins over the current
 * one: an agent may change into other repositories without leaving its session.
 */
export function sessionFolder(
  { client, fields }: HookEvent,
  { env, cwd }: Pick<SessionContext, "env" | "cwd">,
): string {
  const named = env[CLIENT_INFO[client].folderVariable ?? ""];
  return [named, textOf(fields, "cwd")].find((folder) => folder !== undefined && isFolder(folder)) ?? cwd;
}

function isFolder(path: string): boolean {
  return isAbsolute(path) && statIfAny(path)?.isDirectory() === true;
}
