import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { isCheckpointError } from "../../errors.ts";
import { flatten } from "../../checkpoints/transfer/flat-document.ts";
import { oneLine, visible, visibleJson } from "../../text/visible.ts";
import { brief } from "./brief.ts";
import type { Desk } from "./desk.ts";
import { failureOf } from "./failure.ts";

const LISTED = 20;

/** What a client can put into a context without a tool: the handoff, the list, and each checkpoint. */
export function addResources(server: McpServer, desk: Desk): void {
  server.registerResource(
    "handoff",
    "checkpoint://handoff",
    {
      title: "Handoff",
      description: "The briefing for whoever goes on with this work.",
      mimeType: "text/markdown",
    },
    (uri) =>
      answered(desk, async () => {
        const { text } = await desk.read(server, undefined, async (reading) => brief(desk, reading));
        return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
      }),
  );

  server.registerResource(
    "checkpoints",
    "checkpoint://checkpoints",
    {
      title: "Checkpoints",
      description: "The newest checkpoints of all trails: who, when and why.",
      mimeType: "application/json",
    },
    (uri) => answered(desk, async () => json(uri, { checkpoints: await newest(server, desk, 100) })),
  );

  const template = new ResourceTemplate("checkpoint://{id}", {
    list: () => answered(desk, async () => ({ resources: await listed(server, desk) })),
    complete: {
      id: (typed) =>
        answered(desk, async () => {
          const ids = (await newestIfAny(server, desk)).map(({ checkpoint_id }) => checkpoint_id as string);
          return ids.filter((id) => id.startsWith(typed));
        }),
    },
  });
  server.registerResource(
    "checkpoint",
    template,
    {
      title: "Checkpoint",
      description: "Everything that one checkpoint holds.",
      mimeType: "application/json",
    },
    (uri, { id }) =>
      answered(desk, async () =>
        desk.read(server, undefined, async ({ trail }) => {
          const { state, ...info } = await trail.load(decodeURIComponent(String(id)));
          return json(uri, flatten({ ...info, state }, {}));
        }),
      ),
  );
}

/** Errors of resources are errors of the protocol; ours go along as its data. */
async function answered<Result>(desk: Desk, work: () => Promise<Result>): Promise<Result> {
  return desk.underway(async () => {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(desk.world.explain(error));
      const code =
        failure.code === "failed" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
      throw new ProtocolError(code, visible(failure.message), failure);
    }
  });
}

function json(uri: URL, value: object) {
  return {
    contents: [
      { uri: uri.href, mimeType: "application/json", text: visibleJson(JSON.stringify(value, null, 2)) },
    ],
  };
}

async function newest(server: McpServer, desk: Desk, limit: number) {
  return desk.read(server, undefined, async ({ cairn }) => cairn.history({ limit }));
}

/** A project without a store has no checkpoints to list, which is no error. */
async function newestIfAny(server: McpServer, desk: Desk) {
  try {
    return await newest(server, desk, LISTED);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return [];
    throw error;
  }
}

async function listed(server: McpServer, desk: Desk) {
  return (await newestIfAny(server, desk)).map(({ checkpoint_id, trail, created_at, notes, trigger }) => ({
    uri: `checkpoint://${checkpoint_id}`,
    name: checkpoint_id as string,
    title: oneLine(notes ?? trigger).slice(0, 200),
    description: `${trail}, ${created_at}`,
    mimeType: "application/json",
  }));
}
