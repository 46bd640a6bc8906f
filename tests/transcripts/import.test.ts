import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cairn, openCairn } from "../../src/work/state/cairn.ts";
import { createRedactor } from "../../src/core/redaction/redactor.ts";
import type { WorkState } from "../../src/work/state/work-state.ts";
import {
  findTranscript,
  transcriptPieces,
} from "../../src/capabilities/clients/archive/export-transcript.ts";
import { findSessions } from "../../src/capabilities/clients/archive/recorded-sessions.ts";
import { importSession } from "../../src/capabilities/clients/archive/import-session.ts";
import type { ClientName } from "../../src/work/clients/clients.ts";
import {
  asText,
  CLAUDE_ID,
  claudeLines,
  claudePath,
  CODEX_ID,
  codexLines,
  codexPath,
  recordClaude,
  recordCodex,
  writeText,
} from "./support/recordings.ts";

let home: string;
let root: string;
let cairn: Cairn;
beforeEach(async () => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "cairn-transcripts-")));
  root = join(home, "project");
  mkdirSync(join(root, ".git"), { recursive: true });
  cairn = await openCairn({ path: join(root, ".cairn") });
});
afterEach(async () => {
  await cairn.close();
  rmSync(home, { recursive: true, force: true });
});

const redactor = createRedactor();
const env = () => ({ HOME: home });

async function importAll(client: ClientName, options: { partBytes?: number } = {}) {
  const sessions = await findSessions(client, { env: env(), root });
  const results = [];
  for (const session of sessions)
    results.push(await importSession(session, { cairn, redactor, root, ...options }));
  return results;
}

async function exported(id: string): Promise<Buffer> {
  const pieces = [];
  for await (const piece of transcriptPieces(cairn, await findTranscript(cairn, id))) pieces.push(piece);
  return Buffer.concat(pieces);
}

const stateOf = async (id: string): Promise<WorkState> => (await cairn.trail(`session/${id}`).load()).state;

describe("importing a session of Claude Code", () => {
  const file = () => claudePath(join(home, ".claude"), root);

  it("tells the work: goal, later instructions, tasks, files, commands, sub-agents, last message", async () => {
    recordClaude(home, root);
    writeText(join(file().slice(0, -6), "subagents/agent-a1b2.jsonl"), asText(claudeLines(root).slice(0, 3)));
    await importAll("claude");
    const state = await stateOf(CLAUDE_ID);
    expect(state.goal).toBe("Add a login page.\nKeep it small.");
    expect(state.instructions?.map(({ text }) => text)).toEqual(["Now write the test, please."]);
    expect(state.tasks.map(({ id, subject, status }) => ({ id, subject, status }))).toEqual([
      { id: "1", subject: "Write the form", status: "completed" },
      { id: "2", subject: "Write the test", status: "in_progress" },
    ]);
    expect(state.files_touched).toEqual(["src/login.html"]);
    expect(state.commands).toMatchObject([{ argv: ["npm", "test"], ok: false }]);
    expect(state.checks_failing).toEqual(["npm test"]);
    expect(state.subagents).toMatchObject([
      {
        id: "a1b2",
        type: "Explore",
        task: "Look for forms",
        status: "completed",
        last_message: "There are two forms.",
        transcript_trail: `transcript/claude/${CLAUDE_ID}/agent-a1b2`,
      },
    ]);
    expect(state.session).toMatchObject({
      client: "claude-code",
      id: CLAUDE_ID,
      status: "running",
      model: "claude-opus-4-7",
      compactions: 1,
      last_message: "The form is there; the test is next.",
      transcript_trail: `transcript/claude/${CLAUDE_ID}`,
    });
  });

  it("holds no half of a secret that stands where a sub-agent's task is cut", async () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const prompt = `${"look ".repeat(98)}${secret} ${"and there ".repeat(60)}`;
    const call = { type: "tool_use", id: "t1", name: "Agent", input: { prompt } };
    const [first] = claudeLines(root);
    const line = { type: "assistant", cwd: root, message: { role: "assistant", content: [call] } };
    writeText(file(), asText([first!, line]));
    await importAll("claude");
    const [agent] = (await stateOf(CLAUDE_ID)).subagents;
    expect(agent).toMatchObject({ task: expect.stringMatching(/^look look/) });
    expect(JSON.stringify(agent)).not.toContain(secret.slice(0, 8));
  });

  it("archives the transcript and gives it back byte for byte, also of its sub-agents", async () => {
    const text = asText(claudeLines(root));
    writeText(file(), text);
    const agent = asText(claudeLines(root).slice(0, 3));
    writeText(join(file().slice(0, -6), "subagents/agent-a1b2.jsonl"), agent);
    await importAll("claude");
    expect((await exported(CLAUDE_ID)).toString()).toBe(text);
    expect((await exported(CLAUDE_ID.slice(0, 8))).toString()).toBe(text);
    expect((await exported(`${CLAUDE_ID}/agent-a1b2`)).toString()).toBe(agent);
  });

  it("gives back whatever the file holds: broken lines, empty ones, odd spaces, bytes that are no text", async () => {
    const [first, second] = claudeLines(root);
    const bytes = Buffer.concat([
      Buffer.from(`${JSON.stringify(first, null, 1).replaceAll("\n", "  ")}\r\n\n{"type": broken\n`),
      Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
      Buffer.from(`[1e3, "\\u00e9"]\n12345678901234567890\n${JSON.stringify(second)}\n{"type":"user","mess`),
    ]);
    writeText(file(), bytes);
    const [imported] = await importAll("claude");
    expect(imported?.problems).toEqual([
      { line: 3, reason: "it is not JSON" },
      { line: 4, reason: "it is not JSON" },
      { line: 8, reason: "it is incomplete: its writer was killed, or is still writing" },
    ]);
    expect(await exported(CLAUDE_ID)).toEqual(bytes);
  });

  it("adds only what is new, also where the last line had not been finished", async () => {
    const text = asText(claudeLines(root));
    const cutAt = text.indexOf("\n", 2000) + 40;
    writeText(file(), text.slice(0, cutAt));
    const [first] = await importAll("claude");
    appendFileSync(file(), text.slice(cutAt));
    const [second] = await importAll("claude");
    const [third] = await importAll("claude");
    expect(first!.archived[0]!.new_lines + second!.archived[0]!.new_lines).toBe(claudeLines(root).length);
    expect(third!.archived[0]).toMatchObject({ new_lines: 0, was_rewritten: false });
    expect(third!.checkpoint_id).toBeNull();
    expect(await cairn.trail(`transcript/claude/${CLAUDE_ID}`).history()).toHaveLength(2);
    expect((await exported(CLAUDE_ID)).toString()).toBe(text);
  });

  it("keeps what was archived when the client rewrites the file", async () => {
    const text = asText(claudeLines(root));
    writeText(file(), text);
    await importAll("claude", { partBytes: 2000 });
    const shorter = asText(claudeLines(root).slice(3, 12));
    writeText(file(), shorter);
    const [imported] = await importAll("claude", { partBytes: 2000 });
    expect(imported?.archived[0]?.was_rewritten).toBe(true);
    expect((await exported(CLAUDE_ID)).toString()).toBe(shorter);
    const trail = cairn.trail<{ lines: string[] }>(`transcript/claude/${CLAUDE_ID}`);
    await trail.prune({ last: 1 });
    const [, before] = await trail.history();
    const kept = (await trail.load(before!.checkpoint_id)).state.lines;
    expect(text.startsWith(kept.map((line) => `${line}\n`).join(""))).toBe(true);
    expect((await importAll("claude", { partBytes: 2000 }))[0]?.archived[0]?.new_lines).toBe(0);
  });

  it("keeps long transcripts in parts, and goes on in the last", async () => {
    const lines = claudeLines(root);
    const text = asText(lines);
    writeText(file(), asText(lines.slice(0, 20)));
    await importAll("claude", { partBytes: 3000 });
    writeText(file(), text);
    const [imported] = await importAll("claude", { partBytes: 3000 });
    expect(imported?.archived[0]?.new_lines).toBe(lines.length - 20);
    expect(await cairn.store.head(`transcript/claude/${CLAUDE_ID}/part-3`)).toBeDefined();
    expect((await exported(CLAUDE_ID)).toString()).toBe(text);
  });

  it("never stores a secret, neither in the work state nor in the archive; all other lines stay as they are", async () => {
    const secret =
      "sk-ant-api03-Zq7Xw2Lp9Rt4Vb6Nm1Kj8Hg5Fd3Sa0Qw2Er4Ty6Ui8Op0As2Df4Gh6Jk8Lz0Xc2Vb4Nm6Qw8Er0Ty2Ui4Op6AAAA";
    const password = "hunter2-Tr0ub4dor";
    const prompt = `Use ANTHROPIC_API_KEY=${secret} and\nPGPASSWORD=${password}\nplease`;
    const lines = claudeLines(root);
    const [, first] = lines;
    const work = { ...first, message: { role: "user", content: prompt } };
    writeText(file(), `${asText([work, ...lines.slice(2)])}{"broken": "${secret}`);
    const [imported] = await importAll("claude");
    expect(imported?.archived[0]?.secrets_removed).toBe(2);
    const back = (await exported(CLAUDE_ID)).toString();
    const everything = back + JSON.stringify((await cairn.trail(`session/${CLAUDE_ID}`).load()).state);
    expect(everything).not.toContain(secret);
    expect(everything).not.toContain(password);
    expect(back.split("\n").slice(1, -1).join("\n")).toBe(asText(lines.slice(2)).trimEnd());
    expect(JSON.parse(back.split("\n")[0]!)).toMatchObject({ uuid: "u-0", type: "user" });
  });

  it("leaves signatures and pictures alone, which only look like secrets", async () => {
    const random = (size: number) =>
      Buffer.from(Array.from({ length: size }, (_, i) => (i * 73 + size * 31) % 256)).toString("base64");
    const lines = Array.from({ length: 300 }, (_, n) => ({
      type: "assistant",
      message: {
        content: [
          { type: "thinking", thinking: "", signature: random(20 + n) },
          { type: "image", source: { type: "base64", media_type: "image/png", data: random(21 + n) } },
        ],
      },
    }));
    writeText(file(), asText([claudeLines(root)[1]!, ...lines]));
    const [imported] = await importAll("claude");
    expect(imported?.archived[0]?.secrets_removed).toBe(0);
  });

  it("adds to a trail that hooks or people wrote only what it lacks", async () => {
    recordClaude(home, root);
    await cairn.trail(`session/${CLAUDE_ID}`).commit(
      (state) => {
        state.goal = "What a person said";
        state.session = {
          id: CLAUDE_ID,
          client: "claude-code",
          status: "ended",
          started_at: "2026-01-23T10:00:00.000Z",
        };
      },
      { trigger: "hook:Stop" },
    );
    await importAll("claude");
    const state = await stateOf(CLAUDE_ID);
    expect(state.goal).toBe("What a person said");
    expect(state.session).toMatchObject({
      status: "ended",
      transcript_trail: `transcript/claude/${CLAUDE_ID}`,
    });
    expect(state.tasks).toHaveLength(2);
    expect(state.checks_failing).toEqual([]);
    expect((await importAll("claude"))[0]?.checkpoint_id).toBeNull();
  });

  it("takes sessions of this project only: not of a worktree in it, nor of one whose name begins alike", async () => {
    const worktree = join(root, ".claude/worktrees/w");
    writeText(join(worktree, ".git"), "gitdir: elsewhere\n");
    const other = `${root}-2`;
    mkdirSync(other);
    mkdirSync(join(root, "src"));
    const config = join(home, ".claude");
    for (const [index, cwd] of [worktree, other, join(root, "src")].entries())
      writeText(claudePath(config, cwd, `id-${index}`), asText(claudeLines(cwd, `id-${index}`)));
    const ids = async (of?: string) =>
      (await findSessions("claude", { env: env(), root: of })).map(({ main }) => main.session_id).toSorted();
    expect(await ids(root)).toEqual(["id-2"]);
    expect(await ids(worktree)).toEqual(["id-0"]);
    expect(await ids()).toEqual(["id-0", "id-1", "id-2"]);
  });

  it("archives once when two import at the same time", async () => {
    const text = asText(claudeLines(root));
    writeText(file(), text);
    const results = await Promise.allSettled([importAll("claude"), importAll("claude"), importAll("claude")]);
    expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
    const codes = results.flatMap((result) =>
      result.status === "rejected" ? [(result.reason as { code?: string }).code] : [],
    );
    expect(codes.filter((code) => code !== "conflict")).toEqual([]);
    expect((await exported(CLAUDE_ID)).toString()).toBe(text);
  });
});

describe("importing a session of Codex", () => {
  it("tells the work, and finds it in its folders by date", async () => {
    recordCodex(home, root);
    await importAll("codex");
    const state = await stateOf(CODEX_ID);
    expect(state.goal).toBe("Make the cache faster");
    expect(state.instructions).toEqual([]);
    expect(state.tasks.map(({ subject, status }) => `${subject}: ${status}`)).toEqual([
      "Measure: completed",
      "Change: in_progress",
    ]);
    expect(state.files_touched).toEqual(["src/cache.ts", "src/cache.test.ts"]);
    expect(state.commands).toMatchObject([{ argv: ["npm", "run", "bench"], ok: false }]);
    expect(state.session).toMatchObject({
      client: "codex",
      id: CODEX_ID,
      status: "idle",
      model: "gpt-5.5-codex",
      last_message: "It is twice as fast.",
    });
  });

  it("reads a file that the client has compressed since, and archives nothing twice", async () => {
    const text = asText(codexLines(root));
    const path = writeText(codexPath(join(home, ".codex")), text);
    await importAll("codex");
    rmSync(path);
    writeText(`${path}.zst`, zstdCompressSync(text));
    const [imported] = await importAll("codex");
    expect(imported?.archived[0]).toMatchObject({ new_lines: 0, was_rewritten: false });
    expect((await exported(CODEX_ID)).toString()).toBe(text);
  });

  it("reads rollouts that record turns as items", async () => {
    const lines = codexLines(root);
    const item = {
      type: "event_msg",
      timestamp: "2026-01-23T10:04:00Z",
      payload: {
        type: "item_completed",
        item: { type: "UserMessage", id: "1", content: [{ type: "text", text: "As an item" }] },
      },
    };
    const messages = lines.filter(({ payload }) => (payload as { type?: string }).type !== "user_message");
    writeText(codexPath(join(home, ".codex"), CODEX_ID), asText([...messages, item]));
    await importAll("codex");
    expect((await stateOf(CODEX_ID)).goal).toBe("As an item");
  });
});
