// The launcher runs this for `checkpoint hook` before it loads the command: a small bundle of its own.
import {
  eventEnvironment,
  type EventReply,
  type EventRequest,
  READY,
  socketOfServer,
} from "../event-socket.ts";
import { MAX_PAYLOAD_BYTES } from "../../work/sessions/events/read-payload.ts";
import type { UnsavedEvent } from "../../work/terminal/context.ts";
import { findProject } from "../../work/project/find-project.ts";
import { takeEvent } from "./read-event.ts";
import { writeFully } from "./terminal.ts";
import { version } from "./version.ts";

/**
 * A server that hangs must leave the time to save the event without it: clients end a hook after a few seconds, Claude
 * Code after two at the end of a session.
 */
export const PATIENCE_MS = 1000;
/** A server that does not say at once that it is there is suspended, or too busy to help. */
const READY_MS = 300;

/**
 * Hands the event on stdin to the server that runs for the project, prints its answer and ends the process: the server
 * has the store open, and saves in a fraction of the time that loading the command takes. Returns only if no server took
 * the event, with the event if it was read.
 */
export async function handOver(): Promise<UnsavedEvent | undefined> {
  const options = optionsIn(process.argv.slice(3));
  const path = options && socketOfProject();
  if (options === undefined || path === undefined) return undefined;
  const event = await takeEvent(MAX_PAYLOAD_BYTES);
  const back = await ask(path, event, options);
  if (back !== undefined) {
    writeFully(1, back.stdout);
    writeFully(2, back.stderr);
    process.exit(0);
  }
  return event;
}

/** Undefined when no server takes events. */
function socketOfProject(): string | undefined {
  try {
    return socketOfServer(findProject(process.cwd()).folder, process.geteuid?.());
  } catch {
    // The command will fail in the same way, and report it.
    return undefined;
  }
}

type HookOptions = Pick<EventRequest, "client">;

/** Undefined for arguments that only the command understands. */
function optionsIn([option, client, ...others]: readonly string[]): HookOptions | undefined {
  if (option === undefined) return {};
  return option === "--client" && client !== undefined && others.length === 0 ? { client } : undefined;
}

/** Undefined without an answer: the event may or may not be saved, so it is saved again, under the same name. */
async function ask(
  path: string,
  { id, bytes }: UnsavedEvent,
  options: HookOptions,
): Promise<EventReply | undefined> {
  // Loaded here, because most hooks find no server.
  const { connect } = await import("node:net");
  const { promise, resolve } = Promise.withResolvers<EventReply | undefined>();
  const socket = connect(path);
  const head: EventRequest = {
    version,
    id,
    cwd: process.cwd(),
    env: eventEnvironment(process.env),
    parentPid: process.ppid,
    ...options,
    bytes: bytes.length,
  };
  let timer = setTimeout(() => resolve(undefined), READY_MS);
  let said = "";
  socket.setEncoding("utf8");
  socket.on("data", (text: string) => {
    const isFirst = said === "";
    said += text;
    if (!isFirst) return;
    clearTimeout(timer);
    if (!said.startsWith(READY)) return resolve(undefined);
    timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
    socket.write(`${JSON.stringify(head)}\n`);
    socket.write(bytes);
  });
  socket.once("close", () => resolve(parse(said)));
  socket.once("error", () => resolve(undefined));
  const back = await promise;
  clearTimeout(timer);
  socket.destroy();
  return back;
}

function parse(said: string): EventReply | undefined {
  try {
    const back = JSON.parse(said) as Partial<EventReply> | null;
    const { stdout, stderr } = back ?? {};
    return typeof stdout === "string" && typeof stderr === "string" ? { stdout, stderr } : undefined;
  } catch {
    return undefined;
  }
}
