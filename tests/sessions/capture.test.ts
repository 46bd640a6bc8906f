import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Client, CLAUDE_SESSION, CODEX_SESSION, GEMINI_SESSION } from "./support/client.ts";

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(() => client.remove());

const SESSION = { id: CLAUDE_SESSION, client: "claude-code" };
const codex = `session/${CODEX_SESSION}`;
const gemini = `session/${GEMINI_SESSION}`;

/** A call of a shell in Claude Code, with a number of its own. */
let calls = 0;
function bash(command: string, stdout = "", more: Record<string, unknown> = {}) {
  const tool_response = { stdout, stderr: "", interrupted: false, isImage: false, ...more };
  return { tool_name: "Bash", tool_input: { command }, tool_use_id: `toolu_bash_${calls++}`, tool_response };
}

describe("prompts", () => {
  it("are the goal, then instructions, in the person's own words", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/user-prompt-submit-later");
    const { goal, instructions } = await client.state();
    expect(goal).toBe("Build the login page with tests");
    expect(instructions).toEqual([
      {
        text: "Use the session cookie, not local storage",
        at: "2026-11-15T10:00:02.000Z",
        by: "unconfirmed",
      },
    ]);
  });

  it("leave a goal alone that somebody set", async () => {
    await client.send("claude/session-start-startup");
    const { withStore } = client.context();
    await withStore(
      client.folder,
      async ({ cairn }) =>
        cairn.trail(`session/${CLAUDE_SESSION}`).commit((state) => {
          state.goal = "Ship";
        }),
      SESSION,
    );
    await client.send("claude/user-prompt-submit");
    const { goal, instructions } = await client.state();
    expect([goal, instructions?.[0]?.text]).toEqual(["Ship", "Build the login page with tests"]);
  });

  it("are no instructions when a timer or the client itself made them", async () => {
    await client.send("claude/user-prompt-submit-wakeup");
    await client.send("claude/user-prompt-submit", { prompt: "<task-notification>done</task-notification>" });
    await client.send("claude/user-prompt-submit", { prompt: "/compact" });
    expect((await client.state()).goal).toBeUndefined();
  });
});

describe("tasks", () => {
  const brief = async (trail?: string) =>
    (await client.state(trail)).tasks.map(({ id, subject, status, owner, blocked_by }) =>
      [id, subject, status, owner, blocked_by.join()].join("|"),
    );

  it("come from calls of task tools", async () => {
    await client.send("claude/post-tool-batch-tasks");
    expect(await brief()).toEqual(["1|Write the form|in_progress|main|", "2|Test the form|pending||1"]);
  });

  it("come from task events", async () => {
    await client.send("claude/task-created");
    expect(await brief()).toEqual(["3|Ship the form|pending|shipper|"]);
    await client.send("claude/task-completed");
    expect(await brief()).toEqual(["3|Ship the form|completed|shipper|"]);
  });

  it("come from lists that are written as a whole, in every client", async () => {
    await client.send("claude/post-tool-batch-todos");
    expect(await brief()).toEqual([
      "1|Write the form|completed||",
      "2|Test the form|in_progress||",
      "3|Ship it|pending||",
    ]);
    await client.send("codex/post-tool-use-plan");
    expect(await brief(codex)).toEqual(["1|Write the form|in_progress||", "2|Test the form|pending||"]);
    await client.send("gemini/after-tool-todos");
    expect(await brief(gemini)).toEqual(["1|Write the form|in_progress||", "2|Old idea|cancelled||"]);
  });

  it("come from the client's own files, which are the truth about them", async () => {
    const folder = join(client.home, ".claude/tasks", CLAUDE_SESSION);
    mkdirSync(folder, { recursive: true });
    const write = (id: string, more: object) =>
      writeFileSync(
        join(folder, `${id}.json`),
        JSON.stringify({
          id,
          subject: `Task ${id}`,
          description: "",
          status: "pending",
          blocks: [],
          blockedBy: [],
          ...more,
        }),
      );
    write("2", { blockedBy: ["1"] });
    write("10", { status: "completed" });
    write("1", { status: "in_progress", owner: "builder" });
    writeFileSync(join(folder, "3.json"), '{"id": "3", "subj');
    writeFileSync(join(folder, ".lock"), "");
    await client.send("claude/stop");
    expect(await brief()).toEqual([
      "1|Task 1|in_progress|builder|",
      "2|Task 2|pending||1",
      "10|Task 10|completed||",
    ]);
    rmSync(join(folder, "2.json"));
    await client.send("claude/pre-compact");
    expect(await brief()).toEqual(["1|Task 1|in_progress|builder|", "10|Task 10|completed||"]);
    // The client clears the folder away when all is done; what is known stays.
    rmSync(folder, { recursive: true });
    await client.send("claude/user-prompt-submit");
    expect(await brief()).toHaveLength(2);
  });

  it("that somebody else keeps in the trail are not touched, even with the same number", async () => {
    await client.send("claude/user-prompt-submit");
    const task = {
      id: "1",
      subject: "Mine",
      status: "pending",
      owner: null,
      blocks: [],
      blocked_by: [],
      by: "person",
    } as const;
    await client.context().withStore(
      client.folder,
      async ({ cairn }) =>
        cairn.trail(`session/${CLAUDE_SESSION}`).commit((state) => {
          state.tasks.push({ ...task, blocks: [], blocked_by: [] });
        }),
      SESSION,
    );
    await client.send("claude/post-tool-batch-todos");
    expect((await brief()).slice(0, 2)).toEqual(["1|Mine|pending||", "todos-1|Write the form|completed||"]);
  });
});

describe("tool calls", () => {
  it("tell files and commands, and what mere reading tells is nothing", async () => {
    await client.send("claude/post-tool-batch");
    const { files_touched, commands, recent_outputs } = await client.state();
    expect(files_touched).toEqual(["src/login.ts", "src/login.test.ts"]);
    expect(commands).toEqual([{ argv: ["npm", "run", "lint"], ok: true, at: "2026-11-15T10:00:00.000Z" }]);
    expect(recent_outputs).toEqual([]);
    const read = {
      tool_name: "Read",
      tool_input: { file_path: "/x" },
      tool_use_id: "toolu_r",
      tool_response: {},
    };
    await client.send("claude/post-tool-batch", { tool_calls: [read] });
    expect(await client.history()).toHaveLength(1);
  });

  it("count once, though two events tell of them", async () => {
    await client.send("claude/post-tool-use");
    await client.send("claude/post-tool-batch");
    expect((await client.state()).commands).toHaveLength(1);
  });

  it("tell files of patches, and of other clients' tools", async () => {
    await client.send("codex/post-tool-use-patch");
    expect((await client.state(codex)).files_touched).toEqual(["src/login.ts", "src/app.ts", "src/main.ts"]);
    await client.send("gemini/after-tool-write");
    expect((await client.state(gemini)).files_touched).toEqual(["src/login.ts"]);
  });

  it("that fail leave a failing check, until it passes", async () => {
    await client.send("claude/post-tool-use-failure");
    expect((await client.state()).checks_failing).toEqual(["npx vitest run src/login.test.ts"]);
    const { commands, recent_outputs } = await client.state();
    expect(commands.at(-1)).toMatchObject({ ok: false });
    expect(recent_outputs).toMatchObject([
      { id: "toolu_02Bash", success: false, output: expect.stringContaining("1 failed") as string },
    ]);
    const whole = bash(
      "cd /x && npx vitest run 2>&1 | tail -20",
      "Test Files  1 passed (1)\n Tests  4 passed (4)",
    );
    await client.send("claude/post-tool-batch", { tool_calls: [whole] });
    expect((await client.state()).checks_failing).toEqual([]);
  });

  it("of a client that does not say how a command ended are judged by what it printed", async () => {
    await client.send("codex/post-tool-use-shell");
    expect((await client.state(codex)).checks_failing).toEqual(["npx vitest run"]);
    await client.send("codex/post-tool-use-shell-passes");
    expect((await client.state(codex)).checks_failing).toEqual([]);
    await client.send("gemini/after-tool-shell");
    expect((await client.state(gemini)).checks_failing).toEqual(["npm test"]);
  });

  it("that print much are shortened, and the same output is stored once", async () => {
    const noise = Array.from({ length: 60_000 }, (_, index) => `line ${(index * 7919) % 100_003}`).join("\n");
    const size = () => statSync(join(client.folder, ".cairn/store.sqlite")).size + walSize(client);
    await client.send("claude/post-tool-batch", { tool_calls: [bash("make all", noise)] });
    const { output } = (await client.state()).recent_outputs[0]!;
    expect(output?.length).toBeLessThan(8100);
    expect(output).toMatch(/^line 0\n[\s\S]*characters left out[\s\S]*line \d+$/);
    const before = size();
    for (let run = 0; run < 5; run++) {
      await client.send("claude/post-tool-batch", { tool_calls: [bash("make all", noise)] });
    }
    expect(size() - before).toBeLessThan(output!.length * 4);
  });

  it("in the background are known as such", async () => {
    await client.send("claude/post-tool-batch", {
      tool_calls: [bash("npm run dev", "", { backgroundTaskId: "bg7" })],
    });
    expect((await client.state()).session?.background).toEqual([
      { id: "bg7", type: "shell", status: "running", what: "npm run dev" },
    ]);
  });
});

describe("sub-agents", () => {
  it("have a trail of their own, linked to the session, which gets their files and last words", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/subagent-start");
    await client.send("claude/post-tool-batch-subagent");
    const trail = `session/${CLAUDE_SESSION}/agent/a3f0c9d1`;
    const own = await client.state(trail);
    expect(own.files_touched).toEqual(["docs/review.md"]);
    expect(own.session).toMatchObject({
      parent_trail: `session/${CLAUDE_SESSION}`,
      agent: { id: "a3f0c9d1", type: "code-reviewer" },
    });
    expect((await client.state()).files_touched).toEqual([]);
    await client.send("claude/subagent-stop");
    const { subagents, files_touched } = await client.state();
    expect(files_touched).toEqual(["docs/review.md"]);
    expect(subagents).toMatchObject([
      {
        id: "a3f0c9d1",
        type: "code-reviewer",
        trail,
        status: "completed",
        last_message: "The form is fine; the cookie lacks SameSite.",
        files_touched: ["docs/review.md"],
      },
    ]);
  });

  it("write to the session's list of tasks", async () => {
    await client.send("claude/post-tool-batch-tasks", { agent_id: "a3f0c9d1", agent_type: "planner" });
    expect((await client.state()).tasks).toHaveLength(2);
  });

  it("are interrupted when a limit stops the session, and when it has to be started again", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/subagent-start");
    await client.send("claude/stop-failure");
    const { subagents, session } = await client.state();
    expect(subagents).toMatchObject([{ status: "interrupted" }]);
    expect(session).toMatchObject({ status: "failed", error: "rate_limit: Resets at 18:00" });
  });

  it("do not include the one that summarizes", async () => {
    await client.send("claude/user-prompt-submit");
    expect((await client.send("claude/subagent-stop-summarizer")).stdout).toBe("");
    expect((await client.state()).subagents).toEqual([]);
    expect(await client.history()).toHaveLength(1);
  });
});

describe("the session", () => {
  it("knows client, model, transcript, its last words and what goes on by itself", async () => {
    await client.send("claude/session-start-resume");
    await client.send("claude/stop");
    expect((await client.state()).session).toMatchObject({
      id: CLAUDE_SESSION,
      client: "claude-code",
      model: "claude-opus-5",
      status: "idle",
      last_message: "The form is written; tests fail at the wrong password.",
      background: [
        { id: "b1", type: "shell", status: "running", what: "npm run dev" },
        { id: "k1", type: "timer", what: "Check on the build" },
      ],
    });
  });

  it("records where git stands without starting git", async () => {
    client.git("init", "-q", "-b", "trunk");
    client.git("commit", "-q", "--allow-empty", "-m", "first");
    client.env["PATH"] = "/nowhere";
    await client.send("claude/user-prompt-submit");
    const { workspace } = await client.state();
    expect(workspace).toEqual({
      head: expect.stringMatching(/^[0-9a-f]{40}$/) as string,
      branch: "trunk",
      dirty: null,
    });
  });

  it("keeps no secret, wherever it stood", async () => {
    const canary = "ghp_x7Kq2Lm9Zt4Rw8Yb3Nc6Vd1Sf5Hj0PaQeUg4";
    await client.send("claude/user-prompt-submit", { prompt: `Use the token ${canary} to push` });
    const call = bash(`curl -H "Authorization: Bearer ${canary}" https://example.com`, `token=${canary}`);
    await client.send("claude/post-tool-batch", { tool_calls: [call] });
    await client.send("claude/stop", { last_assistant_message: `I used ${canary}` });
    await client.send("claude/task-created", { task_subject: `Rotate ${canary}` });
    const state = await client.state();
    expect(JSON.stringify(state)).not.toContain(canary);
    expect(state.session?.calls_seen).toEqual([call.tool_use_id]);
    for (const name of ["store.sqlite", "store.sqlite-wal", "hooks.log"]) {
      expect(readIfAny(join(client.folder, ".cairn", name))).not.toContain(canary);
    }
  });

  it("commits once for an event, and not at all when nothing changed", async () => {
    await client.send("claude/user-prompt-submit");
    await client.send("claude/stop");
    await client.send("claude/stop");
    expect((await client.history()).map(({ trigger }) => trigger)).toEqual([
      "hook:Stop",
      "hook:UserPromptSubmit",
    ]);
  });
});

function walSize({ folder }: Client): number {
  return statSync(join(folder, ".cairn/store.sqlite-wal"), { throwIfNoEntry: false })?.size ?? 0;
}

function readIfAny(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) === undefined ? "" : readFileSync(path, "latin1");
}
