import { setImmediate as turn } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { CLIENT_NAMES } from "../../../work/clients/clients.ts";
import type { HookAnswer } from "../../../work/sessions/context.ts";
import { textOf } from "../../../core/text/untrusted.ts";
import { sessionEvent } from "../../../work/project/events/session-event.ts";
import { clientName } from "../client.ts";
import type { AgentDoor } from "../agent-door.ts";
import { hookPayload } from "../hook-payload.ts";
import { standardSchema } from "../standard-schema.ts";
import { ANNOTATIONS } from "../tool.ts";

/** Whatever a client sends: some fields are named for those who write the hook, and all others pass, too. */
const input = standardSchema<Readonly<Record<string, unknown>>>({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    payload: { description: "The whole event, as an object or as JSON, where the client can pass it." },
    hook_event_name: {},
    session_id: {},
    cwd: {},
  },
  additionalProperties: {},
});

/**
 * The target of `mcp_tool` hooks. Its text is exactly what a command hook would print, because clients read it as
 * that; so it has no other form, and never fails: an error would be shown to the person at each tool call. An event is
 * saved before it is answered. The tool is in the model's list, so it takes no prompts and no answers of a person: these
 * come by a command hook, and from the client's transcript.
 */
export function addCapture(server: McpServer, door: AgentDoor): void {
  server.registerTool(
    "capture",
    {
      title: "Capture an event of the session",
      description: "For the client's own hooks, which call it by themselves. Agents do not need to.",
      inputSchema: input,
      annotations: ANNOTATIONS.adds,
    },
    (fields, context) =>
      door.underway(async () => {
        const { stdout, warning, after } = await answer(
          door,
          hookPayload(fields),
          clientName({ server, context }),
        );
        if (warning !== undefined) door.world.log(warning);
        if (after !== undefined) void door.underway(() => turn().then(after));
        return { content: [{ type: "text", text: stdout }] };
      }),
  );
}

async function answer(door: AgentDoor, payload: object, client: string): Promise<HookAnswer> {
  const { world, whereabouts } = door;
  const session = textOf(payload, "session_id");
  // A sub-agent may work in a folder of its own; the session stays where it is.
  const isInside = textOf(payload, "agent_id") !== undefined;
  return sessionEvent(world, payload, {
    env: world.env,
    eventId: door.newEventId(),
    cwd: whereabouts.folderFromEvents() ?? world.cwd,
    client: CLIENT_NAMES.find((name) => client.startsWith(name)),
    isFromModel: true,
    isServed: true,
    onProject: (root) => {
      if (session !== undefined && !isInside) whereabouts.see({ id: session, client }, root);
    },
  });
}
