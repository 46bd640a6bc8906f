import { own, textOf } from "../../text/untrusted.ts";
import {
  type ClientProcess,
  findClientProcess,
  type HookProcess,
  stateOfProcess,
} from "./process-of-client.ts";
import { appendLine, type ProjectLog, readLines } from "./project-log.ts";

/**
 * Which process each session's client is. Kept beside the store and not in it, because it is true on this machine only,
 * and because a session that is merely opened again has no new state.
 */
const LOG: ProjectLog = { file: "clients.log", largestBytes: 64 * 1024 };

/** `seems to run` when the process that runs is not certain to be the client's own. */
export type ClientState = "runs" | "seems to run" | "gone" | "unknown";

/** Notes the process that a session's client is now. Never throws. */
export async function noteClient(folder: string, session: string, hook: HookProcess): Promise<void> {
  const found = await findClientProcess(hook);
  if (found === undefined) return;
  const line = JSON.stringify({ session, client: hook.client, ...found });
  const lines = linesIn(folder);
  if (lines.findLast((each) => each.startsWith(startOf(session))) !== line) appendLine(folder, LOG, line);
}

/** Whether the client of a session still runs, as far as that is known. */
export async function clientState(folder: string, session: string): Promise<ClientState> {
  const lines = linesIn(folder);
  const at = lines.findLastIndex((line) => line.startsWith(startOf(session)));
  const client = parse(lines[at]);
  if (client === undefined) return "unknown";
  const state = await stateOfProcess(client);
  if (state === "elsewhere") return "unknown";
  if (state === "gone" || isAtAnother(client, lines.slice(at + 1))) return "gone";
  return client.isNamed ? "runs" : "seems to run";
}

/** Claude Code has one session at a time: one that begins in the same process has taken the place of the other. */
function isAtAnother(client: Noted, later: readonly string[]): boolean {
  if (client.name !== "claude" || !client.isNamed) return false;
  return later.some((line) => {
    const other = parse(line);
    return other?.pid === client.pid && other.start === client.start && other.boot === client.boot;
  });
}

function linesIn(folder: string): readonly string[] {
  return [...(readLines(folder, LOG, ".old") ?? []), ...(readLines(folder, LOG) ?? [])];
}

const startOf = (session: string) => `{"session":${JSON.stringify(session)},`;

interface Noted extends ClientProcess {
  readonly name: string | undefined;
}

function parse(line: string | undefined): Noted | undefined {
  try {
    const fields: unknown = JSON.parse(line ?? "");
    const pid = own(fields, "pid");
    const start = textOf(fields, "start");
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid < 1 || start === undefined)
      return undefined;
    const [boot, place] = [textOf(fields, "boot") ?? "", textOf(fields, "place") ?? ""];
    const isNamed = own(fields, "isNamed") === true;
    return { pid, start, boot, place, isNamed, name: textOf(fields, "client") };
  } catch {
    return undefined;
  }
}
