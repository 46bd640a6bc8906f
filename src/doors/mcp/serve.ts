import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { clip, oneLine } from "../../core/text/visible.ts";
import { dropAnchor } from "../../work/project/anchor.ts";
import { findProject, hasStore } from "../../work/project/find-project.ts";
import type { ProjectFolder } from "../../work/project/project.ts";
import { AgentDoor, type ServerWorld } from "./agent-door.ts";
import { createServer } from "./server.ts";
import { takeEvents } from "./take-events.ts";
import { type LongLine, WholeLines } from "./whole-lines.ts";

/** The longest message that is read: more than any client sends, and little enough to hold. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** How long calls that are under way may take once the client is gone. */
const PATIENCE_MS = 5000;

export interface ClientConnection {
  readonly input: Readable;
  readonly output: Writable;
  /** Aborted when the server shall end. */
  readonly stop: AbortSignal;
}

/** Serves one client until it closes the connection, breaks it, or the server is told to stop. */
export async function serveMcp(world: ServerWorld, { input, output, stop }: ClientConnection): Promise<void> {
  const door = new AgentDoor(world);
  const stopTaking = await takeEvents(door, () => projectWithStore(door));
  const lines = new WholeLines(MAX_MESSAGE_BYTES, (line) => {
    world.log(`A message of ${line.bytes} bytes was left out: ${MAX_MESSAGE_BYTES} are the most.`);
    refuse(line, output);
  });
  // A connection that breaks is gone like one that is closed.
  const gone = Promise.race([
    once(lines, "close").catch(() => {}),
    once(output, "error").catch(() => {}),
    once(stop, "abort"),
  ]);
  const transport = new StdioServerTransport(input.pipe(lines), output, {
    maxBufferSize: MAX_MESSAGE_BYTES + 1024,
  });
  const handle = serveStdio(() => createServer(door), {
    transport,
    onerror: (error) => world.log(clip(oneLine(error.message), 500)),
  });
  input.once("error", () => lines.destroy());
  if (!stop.aborted) await gone;
  await handle.close();
  stopTaking();
  await Promise.race([door.close(), wait(PATIENCE_MS, undefined, { ref: false })]);
  const project = projectWithStore(door);
  if (project) dropAnchor({ ...project, env: world.env });
}

/** A folder that is refused is reported at each call instead, where the client can show the reason. */
function projectWithStore({ world, whereabouts }: AgentDoor): ProjectFolder | undefined {
  try {
    const project = findProject(world.chosenFolder ?? whereabouts.folderFromEvents() ?? world.cwd);
    return hasStore(project) ? project : undefined;
  } catch {
    return undefined;
  }
}

/** The client waits for an answer to the message that was dropped, so answer it if its id can still be found. */
function refuse({ start, end }: LongLine, output: Writable): void {
  const beforeParameters = start.split('"params"', 1)[0] ?? "";
  const found = /"id"\s*:\s*(\d{1,15}|"[\w-]{1,64}")/.exec(beforeParameters)?.[1];
  const atTheEnd = /"id"\s*:\s*(\d{1,15}|"[\w-]{1,64}")\s*\}\s*$/.exec(end)?.[1];
  const id = found ?? atTheEnd;
  if (id === undefined) return;
  const error = { code: -32600, message: `The message is longer than ${MAX_MESSAGE_BYTES} bytes.` };
  output.write(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}\n`);
}
