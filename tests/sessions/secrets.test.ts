import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { Hooks } from "./support/hooks.ts";

const TOKEN = "ghp_aB3dEfGh1JkLmN0pQrStUvWxYz0123456789";
const SESSION = "session/0b6a9f0e-6f6d-4a5c-9d0e-0123456789ab";

let box: Sandbox;
let hooks: Hooks;
beforeEach(() => {
  box = new Sandbox();
  hooks = new Hooks(box);
});
afterEach(() => box.remove());

/** Everything that is kept of all trails, and every file beside the store. */
function kept(): string {
  const trails = (box.json("list", "--all")["checkpoints"] as { checkpoint_id: string }[]).map(
    ({ checkpoint_id: id }) => box.run(["load", id, "--json"]).stdout,
  );
  const folder = join(box.folder, ".cairn");
  const files = readdirSync(folder).filter((name) => name.includes(".log"));
  return [...trails, ...files.map((name) => readFileSync(join(folder, name), "utf8"))].join("\n");
}

describe("a secret in whatever a client sends", () => {
  it.each([
    ["the model", "session-start-startup", { model: TOKEN }],
    ["the transcript", "session-start-startup", { transcript_path: `/tmp/${TOKEN}/t.jsonl` }],
    ["the kind of a sub-agent", "subagent-start", { agent_type: TOKEN }],
    ["a sub-agent's transcript", "subagent-stop", { agent_transcript_path: `/tmp/${TOKEN}.jsonl` }],
    ["the kind of the agent inside", "post-tool-batch-subagent", { agent_type: TOKEN }],
    ["an error", "stop-failure", { error: TOKEN, error_details: TOKEN }],
    ["the last message", "stop", { last_assistant_message: TOKEN }],
    ["a task's owner", "task-created", { teammate_name: TOKEN, task_id: TOKEN }],
    [
      "what goes on",
      "stop",
      { background_tasks: [{ id: TOKEN, type: TOKEN, status: TOKEN, command: TOKEN }] },
    ],
    [
      "a call",
      "post-tool-batch",
      {
        tool_calls: [
          {
            tool_name: "Bash",
            tool_use_id: TOKEN,
            tool_input: { command: `echo ${TOKEN}` },
            tool_response: { stdout: "", backgroundTaskId: TOKEN },
          },
          {
            tool_name: "Write",
            tool_use_id: "w2",
            tool_input: { file_path: `/tmp/${TOKEN}` },
            tool_response: {},
          },
        ],
      },
    ],
    ["an event of an unknown name", "stop", { hook_event_name: TOKEN }],
  ] as const)("is kept nowhere: %s", (_what, name, changes) => {
    hooks.send("claude/session-start-startup");
    hooks.send("claude/user-prompt-submit");
    expect(hooks.send(`claude/${name}`, changes).status).toBe(0);
    const all = kept();
    expect(all).toContain("Build the login page with tests");
    expect(all).not.toContain(TOKEN);
  });

  it("leaves paths and ids as they are where there is none", () => {
    const transcript = join(box.home, ".claude/projects/-home-Ada-MyShop2026/0b6a9f0e.jsonl");
    const said = { transcript_path: transcript, model: "claude-opus-4-5-20251101" };
    hooks.send("claude/user-prompt-submit", said);
    hooks.send("claude/subagent-start", said);
    hooks.send("claude/subagent-stop", { ...said, agent_transcript_path: transcript });
    hooks.send("claude/post-tool-batch", said);
    const { session, subagents } = box.json("load", "--trail", SESSION) as {
      session: { calls_seen: string[] };
      subagents: object[];
    };
    expect(session).toMatchObject({
      transcript_path: transcript,
      model: "claude-opus-4-5-20251101",
      cwd: box.folder,
    });
    expect(session.calls_seen[0]).toMatch(/^toolu_/);
    expect(subagents).toMatchObject([{ transcript_path: transcript }]);
  });
});

describe("a prompt", () => {
  it.each(["user", "sdk", "voice", "remote-control"])(
    "of a source that may be a person's is kept: %s",
    (source) => {
      hooks.send("claude/user-prompt-submit", { source });
      expect(box.json("load", "--trail", SESSION)["goal"]).toBe("Build the login page with tests");
    },
  );

  it.each(["schedule_wakeup", "cron", "task-notification", "stop_hook", "system"])(
    "that a machine made is none: %s",
    (source) => {
      hooks.send("claude/user-prompt-submit", { source });
      expect(box.json("load", "--trail", SESSION)["goal"]).toBeUndefined();
    },
  );
});
