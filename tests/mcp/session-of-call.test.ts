import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient, ERAS } from "./support/agent-client.ts";

let box: Sandbox;
let agent: AgentClient;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(async () => {
  await agent.close();
  box.remove();
});

const ID = "01a1e1fa-9ddf-7572-9480-3b14ba494b22";
const now = async (_meta: Record<string, unknown>) => {
  const { structuredContent } = await agent.client.callTool({ name: "now", arguments: {}, _meta });
  return (structuredContent as { checkpoint: { trail: string; session_id?: string } }).checkpoint;
};

describe.each(ERAS)("a call that names its session, with the %s protocol", (era) => {
  it("goes to that session's trail in Codex, whose hooks do not reach the server", async () => {
    agent = await AgentClient.inProcess(box, { era, name: "codex-mcp-client" });
    expect(await now({ threadId: ID, sessionId: ID })).toMatchObject({
      trail: `session/${ID}`,
      session_id: ID,
    });
    expect(await now({ threadId: "another" })).toMatchObject({ trail: "session/another" });
    expect(await now({ threadId: "x".repeat(5000) })).toMatchObject({ trail: "session/another" });
  });

  it("means nothing in clients that do not say so", async () => {
    agent = await AgentClient.inProcess(box, { era });
    expect(await now({ threadId: ID, sessionId: ID })).toMatchObject({ trail: "main" });
  });
});
