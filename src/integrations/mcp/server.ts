import { McpServer } from "@modelcontextprotocol/server";
import type { Desk } from "./desk.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import { addTool } from "./tool.ts";
import { approve } from "./tools/approve.ts";
import { addCapture } from "./tools/capture.ts";
import { handoff } from "./tools/handoff.ts";
import { diff, list, load } from "./tools/looking.ts";
import { now } from "./tools/now.ts";
import { resumePlan, runs } from "./tools/runs.ts";
import { decide, goal, next } from "./tools/saying.ts";
import { taskAdd, tasks, taskStatusTool } from "./tools/tasks.ts";

const INSTRUCTIONS =
  "Cairn keeps this work safe across context resets, crashes and hand-overs. Read handoff when you take over or after a compaction. Keep tasks, decisions, goal and next up to date; save with now before something risky.";

/** A server with everything that Cairn offers to agents. */
export function createServer(desk: Desk): McpServer {
  const server = new McpServer(
    { name: "cairn", title: "Cairn checkpoints", version: desk.world.version },
    {
      instructions: INSTRUCTIONS,
      requestState: { verify: (state, context) => desk.questions.verify(state, context) },
    },
  );
  addTool(server, desk, now);
  addTool(server, desk, load);
  addTool(server, desk, list);
  addTool(server, desk, diff);
  addTool(server, desk, handoff);
  addTool(server, desk, tasks);
  addTool(server, desk, taskAdd);
  addTool(server, desk, taskStatusTool);
  addTool(server, desk, goal);
  addTool(server, desk, next);
  addTool(server, desk, decide);
  addTool(server, desk, runs);
  addTool(server, desk, resumePlan);
  addTool(server, desk, approve);
  addCapture(server, desk);
  addResources(server, desk);
  addPrompts(server, desk);
  server.server.setNotificationHandler("notifications/roots/list_changed", () =>
    desk.whereabouts.forgetRoots(),
  );
  return server;
}
