import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import { isCheckpointError } from "../../core/errors.ts";
import { flatten } from "../../core/trails/transfer/flat-document.ts";
import { oneLine, visible, visibleJson } from "../../core/text/visible.ts";
import { explainError } from "../../work/project/explain-error.ts";
import { list } from "../../work/project/reading/list.ts";
import { load } from "../../work/project/reading/load.ts";
import { summary } from "../../work/project/reading/summary.ts";
import type { Project } from "../../work/project/project.ts";
import type { AgentDoor } from "./agent-door.ts";
import { failureOf } from "./failure.ts";

const MARKDOWN = "text/markdown";
const JSON_TYPE = "application/json";

/** What a client can put into a context without a tool: the handoff, the list, and each checkpoint. */
export function addResources(server: McpServer, door: AgentDoor): void {
  const answered = <Result>(work: (project: Project) => Promise<Result>) =>
    door.underway(async () => {
      try {
        return await work(await door.project({ server }));
      } catch (error) {
        throw protocolError(error);
      }
    });

  const handoff = { title: "Handoff", description: "The briefing for the next agent on this work." };
  server.registerResource("handoff", "checkpoint://handoff", { ...handoff, mimeType: MARKDOWN }, (uri) =>
    answered(async (project) => {
      const { text } = await summary(project, {});
      return { contents: [{ uri: uri.href, mimeType: MARKDOWN, text }] };
    }),
  );

  const all = {
    title: "Checkpoints",
    description: "The newest checkpoints of all trails: who, when and why.",
    mimeType: JSON_TYPE,
  };
  server.registerResource("checkpoints", "checkpoint://checkpoints", all, (uri) =>
    answered(async (project) => json(uri, { checkpoints: await newest(project, 100) })),
  );

  const template = new ResourceTemplate("checkpoint://{id}", {
    list: () => answered(async (project) => ({ resources: (await newestIfAny(project)).map(listed) })),
    complete: {
      id: (typed) =>
        answered(async (project) => {
          const ids = (await newestIfAny(project)).map(({ checkpoint_id }) => checkpoint_id as string);
          return ids.filter((id) => id.startsWith(typed));
        }),
    },
  });
  const one = {
    title: "Checkpoint",
    description: "Everything that one checkpoint holds.",
    mimeType: JSON_TYPE,
  };
  server.registerResource("checkpoint", template, one, (uri, { id }) =>
    answered(async (project) =>
      json(uri, flatten(await load(project, { id: decodeURIComponent(String(id)) }), {})),
    ),
  );
}

/** Errors of resources are errors of the protocol; ours go along as its data. */
function protocolError(error: unknown): ProtocolError {
  const failure = failureOf(explainError(error));
  const isOurs = failure.code === "failed";
  const code = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(code, visible(failure.message), failure);
}

function json(uri: URL, value: object) {
  const text = visibleJson(JSON.stringify(value, null, 2));
  return { contents: [{ uri: uri.href, mimeType: JSON_TYPE, text }] };
}

async function newest(project: Project, limit: number): Promise<readonly CheckpointInfo[]> {
  return (await list(project, { all: true, limit })).checkpoints;
}

/** A project without a store has no checkpoints to list; that is not an error. */
async function newestIfAny(project: Project): Promise<readonly CheckpointInfo[]> {
  try {
    return await newest(project, 20);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return [];
    throw error;
  }
}

function listed({ checkpoint_id, trail, created_at, notes, trigger }: CheckpointInfo) {
  return {
    uri: `checkpoint://${checkpoint_id}`,
    name: checkpoint_id as string,
    title: oneLine(notes ?? trigger).slice(0, 200),
    description: `${trail}, ${created_at}`,
    mimeType: JSON_TYPE,
  };
}
