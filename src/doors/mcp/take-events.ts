import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { errorCode } from "../../work/machine/read-bounded.ts";
import { asRecord, parseJson } from "../../core/text/untrusted.ts";
import { visible } from "../../core/text/visible.ts";
import { CLIENT_NAMES } from "../../work/clients/clients.ts";
import { type EventReply, type EventRequest, eventSocket, READY } from "../event-socket.ts";
import { sessionEvent } from "../../work/project/events/session-event.ts";
import type { ProjectFolder } from "../../work/project/project.ts";
import type { AgentDoor, ServerWorld } from "./agent-door.ts";

/** More than any event has. */
const LARGEST_BYTES = 64 * 1024 * 1024;
const LINE_FEED = 10;

/** How often to retry: a project gets its store with its first event, and other servers end. */
const LOOK_MS = 2000;

/**
 * Takes events of command hooks, as long as the server runs: a client that has no other hooks has a server all the same.
 * While that is not possible, or another server does so already, the hooks save by themselves. Returns what ends it.
 */
export async function takeEvents(
  door: AgentDoor,
  find: () => ProjectFolder | undefined,
): Promise<() => void> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // A hook that hung up has saved the event itself, or its agent has ended.
    socket.on("error", () => socket.destroy());
    answer(door, socket).catch(() => socket.destroy());
  });
  let isLogged = false;
  const look = async () => {
    if (server.listening) return;
    const problem = await begin(door.world, server, find());
    if (problem !== undefined && !isLogged) door.world.log(`Hooks save by themselves: ${problem}`);
    isLogged ||= problem !== undefined;
  };
  const timer = setInterval(() => void look(), LOOK_MS);
  timer.unref();
  await look();
  return () => {
    clearInterval(timer);
    server.close();
    for (const socket of open) socket.destroy();
  };
}

/** Why it cannot listen; undefined when it does, when there is no store yet, or when another server listens. */
async function begin(
  { machine }: ServerWorld,
  server: Server,
  project: ProjectFolder | undefined,
): Promise<string | undefined> {
  const path = project && eventSocket(project.folder, machine.userId);
  if (path === undefined) return undefined;
  try {
    await listen(server, path);
    return undefined;
  } catch (error) {
    return errorCode(error) === "EADDRINUSE" ? undefined : String(error);
  }
}

/** Removes the socket that a killed server left behind. */
async function listen(server: Server, path: string): Promise<void> {
  if (!(await isServed(path))) rmSync(path, { force: true });
  server.listen(path);
  await once(server, "listening");
  server.unref();
  chmodSync(path, 0o600);
}

export async function isServed(path: string): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function answer(door: AgentDoor, socket: Socket): Promise<void> {
  socket.write(READY);
  const found = await receive(socket);
  if (found === undefined || found.head.version !== door.world.version) return void socket.destroy();
  const { head, payload } = found;
  const { stdout, warning, after } = await door.underway(async () =>
    sessionEvent(door.world, payload, {
      env: head.env,
      cwd: head.cwd,
      parentPid: head.parentPid,
      eventId: head.id,
      client: CLIENT_NAMES.find((name) => name === head.client),
      isServed: true,
    }),
  );
  const back: EventReply = {
    stdout: stdout === "" ? "" : `${stdout}\n`,
    stderr: warning === undefined ? "" : `checkpoint hook: ${visible(warning)}\n`,
  };
  socket.end(`${JSON.stringify(back)}\n`);
  if (after !== undefined) void door.underway(after);
}

/** Reads one event. Undefined for anything but an event of ours. */
export async function receive(socket: Socket): Promise<{ head: EventRequest; payload: Buffer } | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  let head: EventRequest | undefined;
  // Once all is here the socket must stay open, for the answer.
  const arriving = socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  for await (const chunk of arriving) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > LARGEST_BYTES) return undefined;
    if (head === undefined && chunk.includes(LINE_FEED)) {
      const all = Buffer.concat(chunks.splice(0));
      const end = all.indexOf(LINE_FEED);
      head = parseHead(all.subarray(0, end).toString("utf8"));
      if (head === undefined) return undefined;
      chunks.push(all.subarray(end + 1));
      size -= end + 1;
    }
    if (head !== undefined && size >= head.bytes) return { head, payload: Buffer.concat(chunks) };
  }
  return undefined;
}

function parseHead(line: string): EventRequest | undefined {
  const head = asRecord(parseJson(line)) as EventRequest | undefined;
  return head &&
    typeof head.bytes === "number" &&
    typeof head.id === "string" &&
    asRecord(head.env) !== undefined
    ? head
    : undefined;
}
