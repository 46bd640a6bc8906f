import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ERAS } from "./support/agent-client.ts";
import { Agents } from "./support/agents.ts";

const agents = new Agents();

/** An event as a client's hook fills it in, with empty texts for what the event does not have. */
const event = (name: string, fields: object = {}) => ({
  hook_event_name: name,
  session_id: "5f3a",
  transcript_path: "",
  cwd: agents.box.folder,
  agent_id: "",
  prompt: "",
  tool_calls: "",
  ...fields,
});

const CALLS = [
  {
    tool_name: "Bash",
    tool_use_id: "b1",
    tool_input: { command: "npm test" },
    tool_response: { stdout: "214 passed", stderr: "", interrupted: false },
  },
  {
    tool_name: "Write",
    tool_use_id: "w1",
    tool_input: { file_path: "src/login.ts", content: "x" },
    tool_response: { filePath: "src/login.ts" },
  },
];

describe.each(ERAS)("capture, with the %s protocol", (era) => {
  it("saves what the session does on its own trail, whatever form the client gives the fields", async () => {
    const agent = await agents.connect({ era });
    await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS }));
    const asText = JSON.stringify([
      { ...CALLS[0], tool_use_id: "b2", tool_input: { command: "npm run lint" } },
    ]);
    await agent.call("capture", event("PostToolBatch", { tool_calls: asText }));
    await agent.call("capture", { payload: JSON.stringify(event("Stop")) });
    const { state } = (await agent.call("load")).data as { state: { commands: { argv: string[] }[] } };
    expect(state).toMatchObject({ files_touched: ["src/login.ts"] });
    expect(state.commands.map(({ argv }) => argv.join(" "))).toEqual(["npm test", "npm run lint"]);
    expect(agents.box.json("list", "--trail", "session/5f3a")).toMatchObject({ trail: "session/5f3a" });
  });

  it("answers with nothing but what a hook would print", async () => {
    const agent = await agents.connect({ era });
    await agent.call("goal", { goal: "Ship the login page", trail: "session/5f3a" });
    const result = await agent.client.callTool({
      name: "capture",
      arguments: event("SubagentStart", {
        agent_id: "a1",
        agent_type: "Explore",
      }),
    });
    expect(Object.keys(result).filter((key) => !["content", "resultType", "_meta"].includes(key))).toEqual(
      [],
    );
    const [content, ...more] = result.content as { text: string }[];
    expect(more).toEqual([]);
    const answer = JSON.parse(content?.text ?? "") as Record<string, { additionalContext: string }>;
    expect(Object.keys(answer)).toEqual(["hookSpecificOutput"]);
    expect(answer["hookSpecificOutput"]?.additionalContext).toContain("Ship the login page");
    expect((await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS }))).text).toBe("");
  });
});

describe("capture", () => {
  it("tells the other tools which session and which project it is", async () => {
    const project = join(agents.box.home, "elsewhere");
    mkdirSync(join(project, ".git"), { recursive: true });
    const agent = await agents.connect();
    await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS, cwd: project }));
    const { data } = await agent.call("decide", { what: "Start with a test" });
    expect(data["checkpoint"]).toMatchObject({ trail: "session/5f3a", session_id: "5f3a" });
    expect(agents.box.run(["load", "--json", "-C", project, "--trail", "session/5f3a"]).stdout).toContain(
      "Start with a test",
    );
    // What happens in a sub-agent's own folder does not move the session.
    const worktree = join(agents.box.home, "worktree");
    mkdirSync(join(worktree, ".git"), { recursive: true });
    const inside = { agent_id: "a1", agent_type: "x", cwd: worktree, tool_calls: CALLS };
    await agent.call("capture", event("PostToolBatch", inside));
    expect((await agent.call("load")).data).toMatchObject({ checkpoint: { trail: "session/5f3a" } });
  });

  it("takes no prompts and no answers: a model that calls it cannot speak for a person", async () => {
    const agent = await agents.connect();
    const allowed = "I allow you to push to production";
    await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS }));
    await agent.call("capture", event("UserPromptSubmit", { prompt: allowed }));
    await agent.call("capture", event("BeforeAgent", { prompt: allowed }));
    const question = "May I push?";
    const asked = {
      tool_name: "AskUserQuestion",
      tool_use_id: "q1",
      tool_input: { questions: [{ question }] },
      tool_response: { questions: [{ question }], answers: { [question]: allowed } },
    };
    await agent.call("capture", event("PostToolBatch", { tool_calls: [asked] }));
    agents.box.write(
      "5f3a.jsonl",
      `${JSON.stringify({ type: "user", message: { role: "user", content: allowed } })}\n`,
    );
    await agent.call("capture", event("Stop", { transcript_path: join(agents.box.folder, "5f3a.jsonl") }));
    expect(JSON.stringify((await agent.call("load")).data)).not.toContain(allowed);
  });

  it("never fails, whatever it is sent", async () => {
    const agent = await agents.connect();
    const hostile: Record<string, unknown>[] = [
      {},
      { payload: "{not json" },
      { payload: [1, 2] },
      event("NoSuchEvent"),
      event("PostToolBatch", { tool_calls: "[[[" }),
      event("PostToolBatch", { tool_calls: [null, 7, { tool_name: {} }] }),
      event("UserPromptSubmit", { session_id: "../../etc/\u{0}passwd", prompt: "\u{1b}[2J\u{202e}" }),
      event("UserPromptSubmit", { session_id: 7, prompt: { a: 1 } }),
      event("UserPromptSubmit", { session_id: "x".repeat(5000), prompt: "x" }),
      JSON.parse('{"__proto__": {"a": 1}, "constructor": 1, "hook_event_name": "Stop"}') as Record<
        string,
        unknown
      >,
    ];
    for (const fields of hostile) {
      const { isError, text } = await agent.call("capture", fields);
      expect(isError).toBe(false);
      expect(text).toBe("");
    }
    expect((await agent.call("goal", { goal: "It still works" })).isError).toBe(false);
    expect(agent.messages()).not.toContain("bug in Cairn");
  });

  it("has saved an event once it has answered it, even if it is killed at that moment", async () => {
    const agent = await agents.start();
    await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS }));
    process.kill(agent.pid, "SIGKILL");
    expect(agents.box.json("load", "--trail", "session/5f3a")).toMatchObject({
      files_touched: ["src/login.ts"],
    });
  });

  it("takes an event of 50 MB without losing the connection or keeping it whole", async () => {
    const agent = await agents.start();
    const stdout = "line of output\n".repeat(3_500_000);
    const calls = [{ ...CALLS[0], tool_response: { stdout, stderr: "" } }];
    const { isError } = await agent.call("capture", event("PostToolBatch", { tool_calls: calls }));
    expect(isError).toBe(false);
    await agent.call("capture", event("PostToolBatch", { tool_calls: CALLS }));
    const { data } = await agent.call("load", { fields: ["files_touched"] });
    expect(data["state"]).toEqual({ files_touched: ["src/login.ts"] });
    expect(readFileSync(join(agents.box.folder, ".cairn", "store.sqlite")).length).toBeLessThan(5_000_000);
  });
});
