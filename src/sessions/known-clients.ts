import { own, textOf } from "../handoff/untrusted.ts";
import type { Environment } from "../capture/environment.ts";
import { type ClientProcess, findClientProcess, stateOfProcess } from "./client-process.ts";
import { appendLine, type ProjectLog, readLines } from "./project-log.ts";

/**
 * Which process each session's client is. Kept beside the store and not in it, because it is true on this machine only,
 * and because a session that is merely opened again has no new state.
 */
const LOG: ProjectLog = { file: "clients.log", largestBytes: 64 * 1024 };

/** `seems to run` when the process that runs is not certain to be the client's own. */
export type ClientState = "runs" | "seems to run" | "gone" | "unknown";

/** Notes the process that a session's client is now. Never throws. */
export async function noteClient(
  folder: string,
  session: string,
  { env, parentPid }: { readonly env: Environment; readonly parentPid?: number | undefined },
): Promise<void> {
  const found = await findClientProcess(env, parentPid);
  if (found === undefined) return;
  const line = JSON.stringify({ session, ...found });
  if (lastLine(folder, session) !== line) appendLine(folder, LOG, line);
}

/** Whether the client of a session still runs, as far as that is known. */
export async function clientState(folder: string, session: string): Promise<ClientState> {
  const client = parse(lastLine(folder, session));
  if (client === undefined) return "unknown";
  const state = await stateOfProcess(client);
  if (state === "elsewhere") return "unknown";
  return state === "runs" && !client.isNamed ? "seems to run" : state;
}

function lastLine(folder: string, session: string): string | undefined {
  const start = `{"session":${JSON.stringify(session)},`;
  const isOfSession = (line: string) => line.startsWith(start);
  return (
    readLines(folder, LOG)?.findLast(isOfSession) ?? readLines(folder, LOG, ".old")?.findLast(isOfSession)
  );
}

function parse(line: string | undefined): ClientProcess | undefined {
  try {
    const fields: unknown = JSON.parse(line ?? "");
    const pid = own(fields, "pid");
    const start = textOf(fields, "start");
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1 || start === undefined)
      return undefined;
    const [boot, place] = [textOf(fields, "boot") ?? "", textOf(fields, "place") ?? ""];
    return { pid, start, boot, place, isNamed: own(fields, "isNamed") === true };
  } catch {
    return undefined;
  }
}
