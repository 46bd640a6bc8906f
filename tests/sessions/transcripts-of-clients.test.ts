import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { emptyWorkState, type WorkState } from "../../src/work/state/work-state.ts";
import { reduceActivity } from "../../src/work/sessions/activity/reduce-activity.ts";
import type { ClientName } from "../../src/work/clients/clients.ts";
import { type ActivityQuery, readActivity } from "../../src/work/sessions/transcripts/read-activity.ts";
import { withoutHookContext } from "../../src/work/clients/gemini.ts";

const ID = "7d2f1c3e-1111-4c7f-8a53-000000000001";
const AT = "2026-11-15T10:00:00.000Z";

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "cairn-transcripts-"));
});
afterEach(() => rmSync(home, { recursive: true }));

function write(name: string, ...lines: readonly object[]): void {
  const path = join(home, name);
  mkdirSync(dirname(path), { recursive: true });
  for (const line of lines) appendFileSync(path, `${JSON.stringify(line)}\n`);
}

const news = (client: ClientName, from?: ActivityQuery["from"]) =>
  readActivity({ client, sessionId: ID, root: "/shop", folder: "/shop", env: { HOME: home }, from });

/** A session as each client writes it: a prompt, a test that fails, a few words, and a command that still runs. */
const codex = (type: string, payload: object) => ({ timestamp: AT, type, payload });
const codexCall = (call_id: string, name: string, args: object) =>
  codex("response_item", { type: "function_call", name, call_id, arguments: JSON.stringify(args) });
const codexResult = (call_id: string, code: number, output: string) =>
  codex("response_item", {
    type: "function_call_output",
    call_id,
    output: `Chunk ID: e4eee6\nWall time: 0.9971 seconds\nProcess exited with code ${code}\nOriginal token count: 0\nOutput:\n${output}`,
  });
const CODEX_SESSION = codex("session_meta", { id: ID, cwd: "/shop", source: "cli" });
const ROLLOUT = `.codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-${ID}.jsonl`;
const CHAT = `.gemini/tmp/shop/chats/session-2026-11-15T10-00-${ID.slice(0, 8)}.jsonl`;
const EVENTS = `.copilot/session-state/${ID}/events.jsonl`;
const copilot = (type: string, data: object) => ({ type, data, id: "x", timestamp: AT, parentId: null });

function writeOpencode(...parts: readonly (readonly [role: string, part: object])[]): void {
  const path = join(home, ".local/share/opencode/opencode.db");
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  const columns = "session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT";
  database.exec(`CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, ${columns})`);
  database.exec(`CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, message_id TEXT, ${columns})`);
  const { count } = database.prepare("SELECT count(*) AS count FROM part").get() as { count: number };
  for (const [index, [role, part]] of parts.entries()) {
    const number = count + index;
    const time = Date.parse(AT);
    const add = (table: string, ...values: (string | number)[]) =>
      database.prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`).run(...values);
    add("message", `m${number}`, ID, time, time, JSON.stringify({ role }));
    add("part", `p${number}`, `m${number}`, ID, time, time, JSON.stringify(part));
  }
  database.close();
}
const opencodeCall = (callID: string, command: string, state: object) =>
  ["assistant", { type: "tool", tool: "bash", callID, state: { input: { command }, ...state } }] as const;

const SESSIONS: Readonly<Partial<Record<ClientName, () => void>>> = {
  codex: () =>
    write(
      ROLLOUT,
      CODEX_SESSION,
      codex("event_msg", {
        type: "item_completed",
        item: { type: "UserMessage", content: [{ type: "text", text: "Fix the login" }] },
      }),
      codexCall("c1", "exec_command", { cmd: "npm test" }),
      codexResult("c1", 1, ""),
      codex("response_item", {
        type: "message",
        role: "assistant",
        content: [{ type: "output_text", text: "It fails." }],
      }),
      codexCall("c2", "exec_command", { cmd: "npm start" }),
    ),
  gemini: () =>
    write(
      CHAT,
      { sessionId: ID, startTime: AT, kind: "main" },
      { $set: { messages: [{ id: "0", type: "user", content: [{ text: "<session_context>…" }] }] } },
      {
        id: "1",
        timestamp: AT,
        type: "user",
        content: [{ text: "<hook_context>ours</hook_context>\n\nFix the login" }],
      },
      { id: "2", timestamp: AT, type: "gemini", content: "" },
      {
        id: "2",
        timestamp: AT,
        type: "gemini",
        content: "",
        toolCalls: [
          {
            id: "c1",
            name: "run_shell_command",
            args: { command: "npm test" },
            status: "success",
            result: [
              { functionResponse: { id: "c1", response: { output: "Output: (empty)\nExit Code: 1" } } },
            ],
          },
        ],
      },
      {
        id: "3",
        timestamp: AT,
        type: "user",
        content: [{ functionResponse: { id: "c1", response: { output: "…" } } }],
      },
      { id: "4", timestamp: AT, type: "gemini", content: "It fails." },
    ),
  copilot: () =>
    write(
      EVENTS,
      copilot("session.start", { sessionId: ID, copilotVersion: "1.0.102" }),
      copilot("user.message", { content: "Fix the login", transformedContent: "<now>\n\nFix the login" }),
      copilot("user.message", { content: "the text of a skill", source: "skill-x" }),
      copilot("tool.execution_start", {
        toolCallId: "c1",
        toolName: "bash",
        arguments: { command: "npm test" },
      }),
      copilot("tool.execution_complete", {
        toolCallId: "c1",
        success: true,
        shellExecution: { exitCode: 1 },
        result: { content: "\n<shellId: 0 completed with exit code 1>" },
      }),
      copilot("assistant.message", { content: "of a sub-agent", parentToolCallId: "c9" }),
      copilot("assistant.message", { content: "It fails." }),
      copilot("tool.execution_start", {
        toolCallId: "c2",
        toolName: "bash",
        arguments: { command: "npm start" },
      }),
    ),
  opencode: () =>
    writeOpencode(
      ["user", { type: "text", text: "Fix the login" }],
      ["user", { type: "text", text: "a file that was named", synthetic: true }],
      opencodeCall("c1", "npm test", { status: "completed", output: "", metadata: { exit: 1 } }),
      ["assistant", { type: "text", text: "It fails.", time: { start: 1, end: 2 } }],
      opencodeCall("c2", "npm start", { status: "running" }),
    ),
};

describe.each(Object.entries(SESSIONS))("the transcript of %s", (name, session) => {
  const client = name as ClientName;

  it("tells what a person asked, what the agent said, how a command ended and which one still runs", () => {
    session();
    const found = news(client);
    expect(found).toMatchObject({
      isClients: true,
      entries: [
        { kind: "prompt", text: "Fix the login" },
        { kind: "step", command: "npm test", check: "npm test", ok: false, lines: [] },
        { kind: "said", text: "It fails." },
      ],
      // Gemini CLI writes a call down once it has ended.
      inFlight: client === "gemini" ? [] : [{ command: "npm start" }],
    });
    expect(news(client, found?.read?.to)?.entries ?? []).toEqual([]);
  });

  it("is no other session's", () => {
    session();
    const other = { client, sessionId: `${ID.slice(0, -1)}2`, root: "/shop", folder: "/shop" };
    expect(readActivity({ ...other, env: { HOME: home }, from: undefined })).toBeUndefined();
  });
});

it("of OpenCode is read on from the last part, and from the beginning if that is gone", () => {
  SESSIONS.opencode?.();
  const to = news("opencode")?.read?.to;
  writeOpencode(
    ["user", { type: "text", text: "Go on" }],
    ["assistant", { type: "text", text: "I am still speak" }],
  );
  expect(news("opencode", to)?.entries).toMatchObject([{ kind: "prompt", text: "Go on" }]);
  expect(news("opencode", { bytes: 2, digest: "another" })?.entries).toHaveLength(4);
});

describe("megabytes of blanks", () => {
  const blanks = `x${" ".repeat(1 << 20)}x`;

  it("in what a program printed do not keep a reader of Copilot CLI's transcript", () => {
    const tool = (kind: string, more: object) =>
      copilot(`tool.execution_${kind}`, { toolCallId: "1", toolName: "bash", ...more });
    write(
      EVENTS,
      tool("start", { arguments: { command: "npm test" } }),
      tool("complete", {
        success: true,
        result: { content: `${blanks}\n<shellId: 0 completed with exit code 1>` },
        shellExecution: { exitCode: 1 },
      }),
    );
    expect(news("copilot")?.entries).toMatchObject([{ command: "npm test", ok: false }]);
  });

  it("in a prompt do not keep that of Gemini CLI, which takes out what hooks added", () => {
    const context = "<hook_context>a</hook_context>";
    for (const content of [blanks, `${context}\n\n${blanks}`, `${blanks}\n\n${context}\n`])
      expect(withoutHookContext(content)).toBe(blanks);
    expect(withoutHookContext(`${context} a ${context}`)).toBe("a");
    expect(withoutHookContext("a <hook_context> b")).toBe("a <hook_context> b");
  });

  it("behind what looks like a key do not keep an edit", () => {
    const input = { path: "a.ts", old_str: "", new_str: `${"A".repeat(50)}${blanks}` };
    const id = { toolCallId: "1", toolName: "edit" };
    write(
      EVENTS,
      copilot("tool.execution_start", { ...id, arguments: input }),
      copilot("tool.execution_complete", { ...id, success: true, result: { content: "" } }),
    );
    expect(news("copilot")?.entries).toMatchObject([{ edits: [{ path: "a.ts" }] }]);
  });
});

describe("the database of OpenCode", () => {
  it("tells that a person refused a call, which is no failure, and with which words", () => {
    const refused = "The user rejected permission to use this specific tool call";
    const error = (words: string) => ({ status: "error", error: words });
    writeOpencode(
      opencodeCall("c1", "git push", error(`${refused}.`)),
      opencodeCall("c2", "npm test", error(`${refused} with the following feedback: lint first`)),
    );
    expect(news("opencode")?.entries).toMatchObject([
      { kind: "prompt", text: "lint first", answers: "refused: bash npm test", isDoubtful: true },
    ]);
  });
});

describe("the rollout of Codex", () => {
  const state = (): WorkState => ({
    ...emptyWorkState(),
    session: { id: ID, client: "codex", status: "running", started_at: AT },
  });

  it("tells how a command ended that outlasted its call", () => {
    const output = "Chunk ID: a\nWall time: 1.0 seconds\nProcess running with session ID 42\nOutput:\n";
    const stillRuns = (call_id: string) =>
      codex("response_item", { type: "function_call_output", call_id, output });
    write(
      ROLLOUT,
      CODEX_SESSION,
      codexCall("c1", "exec_command", { cmd: "npm test" }),
      stillRuns("c1"),
      codexCall("c2", "write_stdin", { session_id: 42, chars: "" }),
      stillRuns("c2"),
      codexCall("c3", "write_stdin", { session_id: 42, chars: "" }),
      codexResult("c3", 1, "FAIL  login.test.ts"),
      codexCall("c4", "write_stdin", { session_id: 7, chars: "" }),
      codexResult("c4", 1, ""),
    );
    expect(news("codex")?.entries).toMatchObject([
      { command: "npm test", ok: null },
      { command: "npm test", ok: null },
      { command: "npm test", ok: false, check: "npm test", lines: ["FAIL  login.test.ts"] },
      { tool: "write_stdin", ok: false },
    ]);
  });

  it("settles a check that failed without a word once it passes", () => {
    SESSIONS.codex?.();
    const work = state();
    const first = news("codex");
    reduceActivity(work, first);
    expect(work.checks_failing).toEqual(["npm test"]);
    write(
      ROLLOUT,
      CODEX_SESSION,
      codexResult("c2", 0, ""),
      codexCall("c3", "exec_command", { cmd: "npm test" }),
      codexResult("c3", 0, ""),
    );
    reduceActivity(work, news("codex", first?.read?.to));
    expect(work.checks_failing).toEqual([]);
    expect(work.activity?.results).toMatchObject([{ command: "npm test", ok: true }]);
  });

  it("has the goal that the agent gave itself; the first prompt stays as what was asked", () => {
    SESSIONS.codex?.();
    write(ROLLOUT, CODEX_SESSION, codexCall("c4", "create_goal", { objective: "Every test passes" }));
    const work = state();
    reduceActivity(work, news("codex"));
    expect(work).toMatchObject({
      goal: "Every test passes",
      goal_by: { by: "agent" },
      instructions: [{ text: "Fix the login", by: "person" }],
    });
  });

  it("does not replace a goal that was recorded with us", () => {
    write(ROLLOUT, CODEX_SESSION, codexCall("c4", "create_goal", { objective: "Every test passes" }));
    const work = { ...state(), goal: "Ship it" };
    reduceActivity(work, news("codex"));
    expect(work.goal).toBe("Ship it");
  });
});
