import { existsSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { actorOf } from "../../src/work/project/actor.ts";
import { chooseTrail } from "../../src/work/project/choose-trail.ts";
import { Client, CLAUDE_SESSION, CODEX_SESSION, contextOf } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

const FORK = "22222222-6f6d-4a5c-9d0e-0123456789ab";
const fork = `session/${FORK}`;

function writeTranscript(path: unknown, ...lines: readonly object[]): void {
  mkdirSync(dirname(String(path)), { recursive: true });
  writeFileSync(String(path), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

describe("a compaction, in the order of the real client", () => {
  it("tells the summarizer the truth, then gives it back to the agent", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch-tasks");
    await client.send("claude/subagent-start");
    const { stdout } = await client.send("claude/pre-compact");
    const saved = (await client.load()).checkpoint_id;
    expect(stdout).toContain(saved);
    expect(stdout).toContain("#1 (in_progress): Write the form; owner: main");
    await client.send("claude/subagent-stop-summarizer");
    const text = contextOf(await client.send("claude/session-start-compact"));
    expect(text).toContain("#1 (in_progress): Write the form");
    expect(text).toContain("a3f0c9d1 (running)");
    expect(text).toContain(saved);
    await client.send("claude/post-compact");
    expect((await client.state()).session).toMatchObject({
      compactions: 1,
    });
  });

  it("flags the task of a sub-agent that has ended", async () => {
    await client.send("claude/post-tool-batch-tasks");
    await client.send("claude/subagent-start");
    const update = {
      tool_name: "TaskUpdate",
      tool_input: { taskId: "1", owner: "code-reviewer" },
      tool_use_id: "u1",
      tool_response: { success: true },
    };
    await client.send("claude/post-tool-batch", { tool_calls: [update] });
    await client.send("claude/subagent-stop");
    const text = contextOf(await client.send("claude/session-start-compact"));
    expect(text).toContain("#1 (in_progress, but interrupted");
  });
});

describe("a resumed session", () => {
  it("goes on on its own trail, and knows what broke off", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch-tasks");
    await client.send("claude/subagent-start");
    // kill -9: no Stop, no SessionEnd.
    const text = contextOf(await client.send("claude/session-start-resume"));
    // It works on it again; what ran is lost.
    expect(text).toContain("#1 (in_progress)");
    expect(text).toContain("a3f0c9d1 (interrupted)");
    await client.send("claude/user-prompt-submit-later");
    expect((await client.state()).instructions).toHaveLength(1);
    expect(await client.look(async (cairn) => (await cairn.trails()).map(({ name }) => name))).toEqual([
      `session/${CLAUDE_SESSION}`,
    ]);
  });

  it("is not given the work of others", async () => {
    await client.send("codex/user-prompt-submit");
    expect((await client.send("claude/session-start-resume")).stdout).toBe("");
  });
});

describe("a forked session", () => {
  beforeEach(async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/post-tool-batch");
  });

  it("starts where its parent stood, by the transcript, and the parent does not notice", async () => {
    const payload = client.payload("claude/session-start-fork");
    const forkedFrom = { sessionId: CLAUDE_SESSION, messageUuid: "5a0c1a52-21f1-4b0a-8c6e-2f8f0b1b7c11" };
    writeTranscript(
      payload["transcript_path"],
      { type: "summary" },
      { type: "user", forkedFrom, sessionId: FORK },
    );
    const parent = await client.load();
    const text = contextOf(await client.give(payload));
    expect(text).toContain("Build the login page with tests");
    const [first] = (await client.history(fork)).toReversed();
    expect(first).toMatchObject({ parent_checkpoint_id: parent.checkpoint_id, trigger: "hook:SessionStart" });
    expect((await client.state(fork)).session).toMatchObject({ id: FORK, forked_from: parent.checkpoint_id });
    await client.send("claude/user-prompt-submit", { session_id: FORK, prompt: "Try it with passkeys" });
    expect((await client.load()).checkpoint_id).toBe(parent.checkpoint_id);
    expect((await client.state(fork)).instructions).toHaveLength(1);
  });

  it("is found in Codex by the first line of its transcript", async () => {
    await client.send("codex/user-prompt-submit");
    const id = "0199e2c4-ffff-7c11-9b9a-3f0a5a1c2d3e";
    const path = join(client.home, `.codex/sessions/rollout-${id}.jsonl`);
    writeTranscript(path, {
      type: "session_meta",
      payload: { id, forked_from_id: CODEX_SESSION, cwd: client.folder },
    });
    await client.send("codex/session-start-startup", { session_id: id, transcript_path: path });
    expect((await client.state(`session/${id}`)).goal).toBe("Build the login page with tests");
  });

  it("with a parent that nobody knows starts empty, and is given the unfinished work as such", async () => {
    const text = contextOf(await client.send("claude/session-start-fork"));
    expect(text).toContain(`from Claude Code session ${CLAUDE_SESSION}`);
    expect((await client.state(fork)).goal).toBeUndefined();
  });
});

describe("a new session", () => {
  it("is given the newest unfinished work, and remembers what it was given", async () => {
    await client.send("claude/user-prompt-submit");
    const given = (await client.load()).checkpoint_id;
    await client.send("claude/session-start-clear");
    const next = "session/11111111-6f6d-4a5c-9d0e-0123456789ab";
    expect((await client.state(next)).session).toMatchObject({ handed_over: given });
    await client.send("claude/user-prompt-submit", { session_id: next.slice(8), prompt: "Go on" });
    const text = contextOf(await client.send("claude/session-start-compact", { session_id: next.slice(8) }));
    expect(text).toContain(`checkpoint load ${given}`);
  });

  it("never mixes with another in the same folder, though both save at once", async () => {
    const turn = async (session_id: string, index: number) => {
      await client.send("claude/user-prompt-submit", { session_id, prompt: `${session_id} ${index}` });
      const call = {
        tool_name: "Write",
        tool_input: { file_path: `${session_id}-${index}.ts` },
        tool_use_id: `${session_id}${index}`,
        tool_response: {},
      };
      await client.send("claude/post-tool-batch", { session_id, tool_calls: [call] });
    };
    for (let index = 0; index < 5; index++) await Promise.all([turn("one", index), turn("two", index)]);
    for (const name of ["one", "two"]) {
      const { goal, instructions, files_touched } = await client.state(`session/${name}`);
      expect([goal, ...(instructions ?? []).map(({ text }) => text)]).toEqual(
        [0, 1, 2, 3, 4].map((index) => `${name} ${index}`),
      );
      expect(files_touched).toEqual([0, 1, 2, 3, 4].map((index) => `${name}-${index}.ts`));
    }
  });

  it("in a worktree has a store of its own", async () => {
    client.git("init", "-q");
    client.git("commit", "-q", "--allow-empty", "-m", "first");
    client.git("worktree", "add", "-q", "../side");
    const side = join(client.home, "side");
    await client.send("claude/user-prompt-submit");
    expect(
      (await client.send("claude/session-start-startup", { cwd: side, session_id: "side" })).stdout,
    ).toBe("");
    await client.send("claude/user-prompt-submit", { cwd: side, session_id: "side" });
    const names = await client.look(async (cairn) => (await cairn.trails()).map(({ name }) => name), side);
    expect(names).toEqual(["session/side"]);
  });

  it("stays in its project when the agent changes into another folder", async () => {
    const other = join(client.home, "other");
    mkdirSync(join(other, ".git"), { recursive: true });
    client.env["CLAUDE_PROJECT_DIR"] = client.folder;
    await client.send("claude/user-prompt-submit");
    await client.send("claude/user-prompt-submit-later", { cwd: other });
    expect((await client.state()).instructions).toHaveLength(1);
  });

  it("is not saved into the home folder, and says so once", async () => {
    const answer = await client.send("claude/user-prompt-submit", { cwd: client.home });
    expect(JSON.parse(answer.stdout)).toEqual({
      systemMessage: `Cairn: Nothing is saved in ${client.home}: start the agent in a project's folder, or run \`checkpoint now\` here if this is one.`,
    });
    expect((await client.send("claude/stop", { cwd: client.home })).stdout).toBe("");
  });

  it("is not saved there either when $HOME is written in another way", async () => {
    const link = join(client.home, "..", `${basename(client.home)}-link`);
    symlinkSync(client.home, link);
    try {
      for (const home of [`${client.home}/`, link]) {
        client.env["HOME"] = home;
        await client.send("claude/user-prompt-submit", { cwd: client.home });
        expect(existsSync(join(client.home, ".cairn"))).toBe(false);
      }
    } finally {
      unlinkSync(link);
    }
  });

  it("says where it was started, from where alone its client finds it again", async () => {
    const below = join(client.folder, "web");
    mkdirSync(join(client.folder, ".git"));
    mkdirSync(below);
    await client.send("claude/session-start-startup", { cwd: below });
    await client.send("claude/user-prompt-submit", { cwd: client.folder });
    expect((await client.state()).session).toMatchObject({ cwd: below });
    const told = contextOf(await client.send("claude/session-start-startup", { session_id: "next" }));
    expect(told).toContain(`Resume: \`cd ${below} && claude --resume ${CLAUDE_SESSION}\``);
  });

  it("is that of the command where the event names a file", async () => {
    const file = join(client.home, "notes.txt");
    writeFileSync(file, "");
    expect(await client.send("claude/user-prompt-submit", { cwd: file })).toEqual({ stdout: "" });
    expect((await client.state()).goal).toBeDefined();
  });
});

describe("the agent's own shell", () => {
  it("names the session, whatever is in its name, and a typed command finds its trail by that", async () => {
    const session_id = 'it\'s $(touch pwned); "x"';
    await client.send("claude/session-start-startup", { session_id });
    const typed = chooseTrail({ env: {}, actor: actorOf({ CLAUDE_CODE_SESSION_ID: session_id }) }, undefined);
    expect((await client.state(typed.name)).session).toMatchObject({ id: session_id });
  });
});
