import { own, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { type ClientName, CLIENTS } from "../../clients/clients.ts";
import {
  type ClientProcess,
  findClientProcess,
  type HookProcess,
  stateOfProcess,
} from "./process-of-client.ts";
import { appendLine, type ProjectLog, readLines } from "../../machine/project-log.ts";

/**
 * The process of each session's client. Kept beside the store and not in it, because it is true only on this machine,
 * and because reopening a session changes no state.
 */
const LOG: ProjectLog = { file: "clients.log", largestBytes: 64 * 1024 };

/** `seems to run`: a process runs, but it may not be the client's own. */
export type ClientState = "runs" | "seems to run" | "gone" | "unknown";

/** Records the current process of a session's client. Never throws. */
export async function noteClient(folder: string, session: string, hook: HookProcess): Promise<void> {
  const found = await findClientProcess(hook);
  if (found === undefined) return;
  const line = JSON.stringify({ session, client: hook.client, ...found });
  const lines = linesIn(folder);
  if (lines.findLast((each) => each.startsWith(startOf(session))) !== line) appendLine(folder, LOG, line);
}

/** Whether the client of a session still runs, as far as is known. */
export async function clientState(folder: string, session: string): Promise<ClientState> {
  const lines = linesIn(folder);
  const at = lines.findLastIndex((line) => line.startsWith(startOf(session)));
  const client = parse(lines[at]);
  if (client === undefined) return "unknown";
  const state = await stateOfProcess(client);
  if (state === "elsewhere") return "unknown";
  if (state === "gone" || isReplaced(client, lines.slice(at + 1))) return "gone";
  return client.isNamed ? "runs" : "seems to run";
}

/** Where a process has one session at a time, a later one in the same process has replaced it. */
function isReplaced(client: ClientRecord, later: readonly string[]): boolean {
  if (!client.isNamed || !CLIENTS[client.client]?.hasOneSession) return false;
  return later.some((line) => {
    const other = parse(line);
    return other?.pid === client.pid && other.start === client.start && other.boot === client.boot;
  });
}

function linesIn(folder: string): readonly string[] {
  return [...(readLines(folder, LOG, ".old") ?? []), ...(readLines(folder, LOG) ?? [])];
}

const startOf = (session: string) => `{"session":${JSON.stringify(session)},`;

interface ClientRecord extends ClientProcess {
  readonly client: ClientName;
}

/** The log is ours alone; a line that was cut off is skipped. */
function parse(line: string | undefined): ClientRecord | undefined {
  const record = parseJson(line ?? "");
  return Number.isSafeInteger(own(record, "pid")) && textOf(record, "start") !== undefined
    ? (record as ClientRecord)
    : undefined;
}
