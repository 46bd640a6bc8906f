import { McpServer } from "@modelcontextprotocol/server";
import type { AgentDoor } from "./agent-door.ts";
import { addPrompts } from "./prompts.ts";
import { addResources } from "./resources.ts";
import { approve } from "./tools/approve.ts";
import { addCapture } from "./tools/capture.ts";
import { diff, filesDiff, handoff, list, load, resumePlan, runs, search } from "./tools/looking.ts";
import { decide, goal, next, now, taskAdd, taskList, taskStatus } from "./tools/work.ts";

const INSTRUCTIONS =
  "Cairn keeps this work safe across context resets, crashes and hand-overs. Read handoff when you take over or after a compaction; search finds what was said and decided before. If you have no to-do tool of your own, keep your list of steps with task_add and task_status, from the start of any work with more than one step. Keep decisions, goal and next up to date; save with now before something risky.";

/** In the order in which clients list them. */
const TOOLS = [
  now,
  load,
  list,
  diff,
  filesDiff,
  handoff,
  search,
  taskList,
  taskAdd,
  taskStatus,
  goal,
  next,
  decide,
  runs,
  resumePlan,
  approve,
];

/** A server with everything that Cairn offers to agents. */
export function createServer(door: AgentDoor): McpServer {
  const server = new McpServer(
    { name: "cairn", title: "Cairn checkpoints", version: door.world.version },
    {
      instructions: INSTRUCTIONS,
      requestState: { verify: (state, context) => door.questions.verify(state, context) },
    },
  );
  for (const addTool of TOOLS) addTool(server, door);
  addCapture(server, door);
  addResources(server, door);
  addPrompts(server, door);
  server.server.setNotificationHandler("notifications/roots/list_changed", () =>
    door.whereabouts.forgetRoots(),
  );
  return server;
}
