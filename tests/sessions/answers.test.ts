import { appendFileSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientName } from "../../src/work/clients/clients.ts";
import { Client, CLAUDE_SESSION, contextOf, GEMINI_SESSION } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

const FIXTURES = join(import.meta.dirname, "fixtures");
const recorded = readdirSync(FIXTURES).flatMap((name) =>
  readdirSync(join(FIXTURES, name)).map((file) => [name as ClientName, file.replace(".json", "")] as const),
);

/** What an answer looks like, to the last key: the strictest client refuses every key that it does not know. */
function formOf(stdout: string): string {
  if (stdout === "") return "nothing";
  if (!stdout.startsWith("{")) return "text";
  const { hookSpecificOutput: specific = {}, ...rest } = JSON.parse(stdout) as Record<string, object>;
  const { hookEventName, ...fields } = specific as { hookEventName?: string };
  return [...Object.keys(rest), hookEventName, ...Object.keys(fields)].filter(Boolean).join(" ");
}

/** What each client may be told, and when. */
function expectedForm(name: ClientName, event: string): string {
  if (name === "cursor")
    return { sessionStart: "additional_context", beforeSubmitPrompt: "continue" }[event] ?? "";
  if (name === "copilot") return event === "SessionStart" ? "additionalContext" : "nothing";
  if (event === "SessionStart" || event === "SubagentStart") return `${event} additionalContext`;
  if (name === "claude" && event === "PreCompact") return "text";
  return name === "gemini" ? "" : "nothing";
}

describe("the answer to every recorded event, in a session that has work", () => {
  it.each(recorded)("%s %s has the exact form that its client takes", async (name, file) => {
    const prompt = { gemini: "before-agent", cursor: "before-submit-prompt" }[name as string];
    await client.give(client.payload(`${name}/${prompt ?? "user-prompt-submit"}`), { client: name });
    const payload = client.payload(`${name}/${file}`);
    const { stdout, warning } = await client.give(payload, { client: name });
    expect(formOf(stdout)).toBe(expectedForm(name, String(payload["hook_event_name"])));
    expect(stdout).toMatch(/^(|\{\}|\{"continue":true\})$|Build the login page/);
    expect(warning).toBeUndefined();
  });

  it("is recognised without being told which client it is, save what Copilot CLI sends", async () => {
    const others = recorded.filter(([name]) => name !== "copilot");
    for (const [name, file] of others) await client.give(client.payload(`${name}/${file}`));
    const states = ["claude-code", "codex", "gemini-cli", "cursor"];
    const found = await client.look(async (cairn) => {
      const trails = (await cairn.trails()).filter((trail) => !trail.name.includes("/agent/"));
      return Promise.all(
        trails.map(async ({ name }) => (await cairn.trail(name).load()).state.session?.client),
      );
    });
    expect(new Set(found)).toEqual(new Set(states));
  });
});

describe("the handoff at a session's start", () => {
  it("stays within each client's real limit, whatever the state holds", async () => {
    for (const name of ["claude", "codex"] as const) {
      const prompt = `Build ${"a very long and winding goal ".repeat(250)}`;
      await client.send(`${name}/user-prompt-submit`, { prompt });
      for (let turn = 0; turn < 20; turn++) {
        await client.send(`${name}/user-prompt-submit`, {
          prompt: `Instruction ${turn}: ${"do it well ".repeat(300)}`,
        });
      }
      const text = contextOf(await client.send(`${name}/session-start-compact`));
      expect(text.length).toBeLessThan(name === "claude" ? 9900 : 2500 * 4);
      expect(text).toContain("Build a very long");
      expect(text).toContain("checkpoint load ckpt-");
    }
  });

  it("is the same, byte for byte, when nothing has changed", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch");
    const start = async (id: string) => client.send("claude/session-start-startup", { session_id: id });
    const { stdout } = await start("second");
    expect(stdout).toContain("Build the login page");
    expect((await start("third")).stdout).toBe(stdout);
  });

  it("says whose work it hands over, and how to get back into it", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch-tasks");
    const text = contextOf(await client.send("codex/session-start-startup"));
    expect(text).toContain(`from Claude Code session ${CLAUDE_SESSION} (trail session/${CLAUDE_SESSION})`);
    expect(text).toContain(`claude --resume ${CLAUDE_SESSION}`);
    expect(text).toContain("#1 (in_progress, but interrupted: no live agent works on it): Write the form");
  });

  it("says nothing where there is nothing to say", async () => {
    expect((await client.send("claude/session-start-startup")).stdout).toBe("");
    expect((await client.send("codex/session-start-startup")).stdout).toBe("");
    expect((await client.send("gemini/session-start-startup")).stdout).toBe("{}");
  });

  it("hands nothing over that is done", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/task-created");
    await client.send("claude/task-completed");
    await client.send("claude/stop", { background_tasks: [], session_crons: [] });
    expect((await client.send("codex/session-start-startup")).stdout).toBe("");
  });
});

describe("a client that starts no session after a compaction", () => {
  /** What Gemini CLI 0.61 writes when it replaces a conversation: at its start, and when it has compacted. */
  const replaced = (text: string, later = "") => {
    const path = String(client.payload("gemini/before-agent")["transcript_path"]);
    mkdirSync(dirname(path), { recursive: true });
    const messages = [{ id: "d04923d3", type: "user", content: [{ text }, { text: later }] }];
    appendFileSync(path, `${JSON.stringify({ $set: { messages } })}\n`);
  };

  it("gets the handoff with the next prompt, once, and only if it was compacted", async () => {
    replaced("<session_context>\nThis is the Gemini CLI.");
    await client.send("gemini/before-agent");
    await client.send("gemini/after-tool-todos");
    const state = async () => (await client.state(`session/${GEMINI_SESSION}`)).session?.compactions;
    // It comes before every request to the model.
    for (let request = 0; request < 5; request++)
      expect((await client.send("gemini/pre-compress")).stdout).toBe("{}");
    expect((await client.send("gemini/before-agent", { prompt: "Go on" })).stdout).toBe("{}");
    expect(await state()).toBeUndefined();

    replaced("<state_snapshot>\n<overall_goal>Ship it</overall_goal>\n</state_snapshot>");
    const answer = await client.send("gemini/before-agent", { prompt: "Go on" });
    expect(contextOf(answer)).toContain("Write the form");
    expect(await state()).toBe(1);
    // A conversation that is resumed is written again, with the same summary.
    replaced("<state_snapshot>\n<overall_goal>Ship it</overall_goal>\n</state_snapshot>", "Go on");
    expect((await client.send("gemini/before-agent", { prompt: "And on" })).stdout).toBe("{}");
  });
});
