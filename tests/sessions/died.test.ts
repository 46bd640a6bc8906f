import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client, contextOf } from "./support/client.ts";

let client: Client;
beforeEach(async () => {
  client = new Client();
  await client.send("claude/user-prompt-submit");
});
afterEach(() => client.remove());

/** Lines of a transcript, in the form in which Claude Code 2.1.325 writes them. */
function record(...lines: readonly object[]): void {
  const path = String(client.payload("claude/stop")["transcript_path"]);
  mkdirSync(dirname(path), { recursive: true });
  for (const line of lines)
    appendFileSync(
      path,
      `${JSON.stringify({ isSidechain: false, timestamp: "2026-11-15T10:00:00.000Z", ...line })}\n`,
    );
}
const usage = {
  input_tokens: 100,
  cache_creation_input_tokens: 2000,
  cache_read_input_tokens: 30_000,
  output_tokens: 5,
};
const calls = (id: string, command: string) => ({
  type: "assistant",
  message: {
    role: "assistant",
    model: "claude-opus-5-5",
    content: [{ type: "tool_use", id, name: "Bash", input: { command, description: "x" } }],
    usage,
  },
});
const answered = (id: string) => ({
  type: "user",
  message: { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: "ok" }] },
});
const SAID =
  "The cache is stale because nobody clears it. ghp_0123456789abcdefghijABCDEFGHIJ012345\n\nNext I will deploy it.";
const ofSubagent = { ...calls("toolu_9", "echo inside"), isSidechain: true };

describe("what Claude Code's events do not say", () => {
  it("is the model, which its transcript has", async () => {
    record(calls("toolu_1", "npm run build"), answered("toolu_1"), ofSubagent);
    await client.send("claude/stop");
    expect((await client.state()).session).toMatchObject({
      model: "claude-opus-5-5",
    });
  });

  it("is the command that was running when it was killed", async () => {
    record(
      calls("toolu_1", "npm run build"),
      answered("toolu_1"),
      calls("toolu_2", "npm run deploy -- --token=ghp_0123456789abcdefghijABCDEFGHIJ012345"),
      ofSubagent,
    );
    await client.send("claude/post-tool-batch");
    const other = contextOf(await client.send("claude/session-start-startup", { session_id: "another" }));
    expect(other).toMatch(/npm run deploy.*: was running when its session broke off/);
    expect(other).not.toContain("ghp_0123456789");
    expect(other).not.toMatch(/(npm run build|echo inside).*: was running/);
    const own = contextOf(await client.send("claude/session-start-resume"));
    expect(own).toContain("npm run deploy");
    record(answered("toolu_2"));
    expect(contextOf(await client.send("claude/session-start-resume"))).not.toMatch(/deploy.*was running/);
  });

  it("is what ended beside a command that was still running", async () => {
    const failed = { tool_use_id: "toolu_2", type: "tool_result", content: "Exit code 1\nFAIL a.test.ts" };
    record(calls("toolu_1", "npm run deploy"), calls("toolu_2", "npm test"), {
      type: "user",
      message: { role: "user", content: [{ ...failed, is_error: true }] },
    });
    const other = contextOf(await client.send("claude/session-start-startup", { session_id: "another" }));
    expect(other).toMatch(/npm run deploy.*: was running when its session broke off/);
    expect(other).toMatch(/FAILED at 10:00: npm test\n {2}\| FAIL a\.test\.ts/);
  });

  it("is what came after the same words, typed again because it was killed", async () => {
    const prompt = { type: "user", message: { role: "user", content: "Go on" } };
    const said = { type: "assistant", message: { content: [{ type: "text", text: "The lexer is it." }] } };
    record(prompt, calls("toolu_1", "npm run deploy"), prompt, said);
    await client.send("claude/stop", { last_assistant_message: undefined });
    expect((await client.state()).activity?.turns.at(-1)?.said).toEqual(["The lexer is it."]);
  });

  it("is the turn in which it was killed, which the next session is told as far as the transcript goes", async () => {
    await client.send("claude/post-tool-batch");
    record(
      { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: SAID }] } },
      calls("toolu_1", "npm run build"),
      answered("toolu_1"),
      calls("toolu_2", "npm run deploy"),
    );
    const other = contextOf(await client.send("claude/session-start-startup", { session_id: "another" }));
    expect(other).toContain("The cache is stale because nobody clears it. [redacted:github-token]");
    expect(other).toContain("- npm run build");
    expect(other).not.toContain("Not recorded: next action");
  });

  it("is that command without what the project's own rules call a secret", async () => {
    record(calls("toolu_2", "npm run deploy ACME-ABCDEFGH"));
    await client.send("claude/post-tool-batch");
    const start = client.payload("claude/session-start-startup", { session_id: "another" });
    const extraPatterns = [{ name: "acme", pattern: "ACME-[A-Z]{8}" }];
    const told = contextOf(await client.give(start, { secrets: async () => ({ extraPatterns }) }));
    expect(told).toMatch(/npm run deploy \[redacted:acme\].*: was running/);
  });

  it("says once what became of a sub-agent, and calls one that was lost interrupted", async () => {
    await client.send("claude/subagent-start");
    await client.send("claude/subagent-stop", {
      background_tasks: [{ id: "a1b2c3", type: "subagent", status: "running", description: "look" }],
    });
    const { subagents, session } = await client.state();
    expect(subagents).toMatchObject([{ status: "completed" }]);
    expect(session?.background ?? []).toEqual([]);
    await client.send("claude/subagent-start", { agent_id: "lost" });
    const other = contextOf(await client.send("claude/session-start-startup", { session_id: "another" }));
    expect(other).toContain("lost (interrupted)");
  });

  it("keeps the descriptions of tasks", async () => {
    const description = "With a field for the name, and one for the password.";
    await client.send("claude/task-created", { task_description: description });
    expect((await client.state()).tasks).toMatchObject([{ description }]);
  });
});

describe("what Codex's events do not say", () => {
  it("is the command that was running when it was killed", async () => {
    await client.send("codex/user-prompt-submit");
    const path = String(client.payload("codex/stop")["transcript_path"]);
    mkdirSync(dirname(path), { recursive: true });
    const call = (call_id: string, cmd: string) => ({
      type: "function_call",
      name: "exec_command",
      call_id,
      arguments: JSON.stringify({ cmd }),
    });
    const output = { type: "function_call_output", call_id: "call_1", output: "ok" };
    for (const payload of [call("call_1", "npm run build"), output, call("call_2", "npm run deploy")])
      appendFileSync(path, `${JSON.stringify({ type: "response_item", payload })}\n`);
    const other = contextOf(await client.send("codex/session-start-startup", { session_id: "another" }));
    expect(other).toMatch(/npm run deploy.*: was running when its session broke off/);
    expect(other).not.toMatch(/npm run build.*: was running/);
  });
});
