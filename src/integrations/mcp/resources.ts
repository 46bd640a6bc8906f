import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { isCheckpointError } from "../../errors.ts";
import { flatten } from "../../checkpoints/transfer/flat-document.ts";
import { oneLine, visible, visibleJson } from "../../text/visible.ts";
import { explainError } from "../../project/explain-error.ts";
import { list } from "../../project/looking/list.ts";
import { load } from "../../project/looking/load.ts";
import { summary } from "../../project/looking/summary.ts";
import type { AgentDoor } from "./agent-door.ts";
import { failureOf } from "./failure.ts";

const LISTED = 20;

/** What a client can put into a context without a tool: the handoff, the list, and each checkpoint. */
export function addResources(server: McpServer, door: AgentDoor): void {
  server.registerResource(
    "handoff",
    "checkpoint://handoff",
    {
      title: "Handoff",
      description: "The briefing for the next agent on this work.",
      mimeType: "text/markdown",
    },
    (uri) =>
      answered(door, async () => {
        const { text } = await summary(await door.project({ server }), {});
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
    (uri) => answered(door, async () => json(uri, { checkpoints: await newest(server, door, 100) })),
  );

  const template = new ResourceTemplate("checkpoint://{id}", {
    list: () => answered(door, async () => ({ resources: await listed(server, door) })),
    complete: {
      id: (typed) =>
        answered(door, async () => {
          const ids = (await newestIfAny(server, door)).map(({ checkpoint_id }) => checkpoint_id as string);
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
      answered(door, async () =>
        json(
          uri,
          flatten(await load(await door.project({ server }), { id: decodeURIComponent(String(id)) }), {}),
        ),
      ),
  );
}

/** Errors of resources are errors of the protocol; ours go along as its data. */
async function answered<Result>(door: AgentDoor, work: () => Promise<Result>): Promise<Result> {
  return door.underway(async () => {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(explainError(error));
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

async function newest(server: McpServer, door: AgentDoor, limit: number) {
  return (await list(await door.project({ server }), { all: true, limit })).checkpoints;
}

/** A project without a store has no checkpoints to list; that is not an error. */
async function newestIfAny(server: McpServer, door: AgentDoor) {
  try {
    return await newest(server, door, LISTED);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return [];
    throw error;
  }
}

async function listed(server: McpServer, door: AgentDoor) {
  return (await newestIfAny(server, door)).map(({ checkpoint_id, trail, created_at, notes, trigger }) => ({
    uri: `checkpoint://${checkpoint_id}`,
    name: checkpoint_id as string,
    title: oneLine(notes ?? trigger).slice(0, 200),
    description: `${trail}, ${created_at}`,
    mimeType: "application/json",
  }));
}
