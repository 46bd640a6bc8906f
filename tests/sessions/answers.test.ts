import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientName } from "../../src/sessions/index.ts";
import { Client, CLAUDE_SESSION, contextOf } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

const FIXTURES = join(import.meta.dirname, "fixtures");
const recorded = readdirSync(FIXTURES).flatMap((name) =>
  readdirSync(join(FIXTURES, name)).map((file) => [name as ClientName, file.replace(".json", "")] as const),
);

/** All keys that the strictest client knows in an answer, and in the part for each event. */
const COMMON_KEYS = ["continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"];
const SPECIFIC_KEYS = ["hookEventName", "additionalContext"];
const WITH_CONTEXT = ["SessionStart", "SubagentStart", "UserPromptSubmit", "BeforeAgent"];

describe("the answer to every recorded event, in a session that has work", () => {
  it.each(recorded)("%s %s has the exact form that its client takes", async (name, file) => {
    const prompt = name === "gemini" ? "before-agent" : "user-prompt-submit";
    await client.send(`${name}/${prompt}`);
    const payload = client.payload(`${name}/${file}`);
    const { stdout, warning } = await client.give(payload, { client: name });
    expect(warning).toBeUndefined();
    const event = String(payload["hook_event_name"]);
    if (name === "claude" && event === "PreCompact") {
      expect(stdout).toMatch(/^Checkpoint ckpt-\S+ holds the true state[\s\S]*Build the login page/);
      return;
    }
    if (stdout === "") {
      // Silence is an answer to everything but where the model must be told, and for the client that wants JSON.
      expect(name).not.toBe("gemini");
      expect(["SessionStart", "SubagentStart"]).not.toContain(event);
      return;
    }
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    for (const key of Object.keys(answer)) expect(COMMON_KEYS).toContain(key);
    const specific = answer["hookSpecificOutput"] as Record<string, unknown> | undefined;
    if (specific === undefined) return expect(answer).toEqual({});
    expect(WITH_CONTEXT).toContain(event);
    expect(Object.keys(specific).toSorted()).toEqual(SPECIFIC_KEYS.toSorted());
    expect(specific["hookEventName"]).toBe(event);
  });

  it("is recognised without being told which client it is", async () => {
    for (const [name, file] of recorded) await client.give(client.payload(`${name}/${file}`));
    const states = ["claude-code", "codex", "gemini-cli"];
    const found = await client.look(async (cairn) => {
      const trails = (await cairn.trails()).filter((trail) => !trail.name.includes("/agent/"));
      return Promise.all(
        trails.map(async ({ name }) => (await cairn.trail(name).load()).state.session?.client),
      );
    });
    expect([...new Set(found)].toSorted()).toEqual(states);
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
    const first = await client.send("claude/session-start-resume");
    const second = await client.send("claude/session-start-resume");
    expect(second.stdout).toBe(first.stdout);
    expect((await client.history()).filter(({ trigger }) => trigger === "hook:SessionStart")).toHaveLength(1);
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
  it("gets the handoff with the next prompt, once", async () => {
    await client.send("gemini/before-agent");
    await client.send("gemini/after-tool-todos");
    expect((await client.send("gemini/pre-compress")).stdout).toBe("{}");
    const answer = await client.send("gemini/before-agent", { prompt: "Go on" });
    expect(contextOf(answer)).toContain("Write the form");
    expect((await client.send("gemini/before-agent", { prompt: "And on" })).stdout).toBe("{}");
  });
});
