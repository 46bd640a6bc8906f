import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { asText, CLAUDE_ID, claudeLines, claudePath, writeText } from "../transcripts/support/recordings.ts";

const root = join(import.meta.dirname, "../..");
/** A folder in which the real packages are installed. */
const peers = process.env["CAIRN_TEST_PEERS"];
if (peers === undefined)
  console.warn(
    "Skipped: the adapters against the real packages. They are 60 MB: npm run test:peers installs them.",
  );

let folder: string;
beforeAll(() => {
  if (peers === undefined) return;
  folder = realpathSync(mkdtempSync(join(tmpdir(), "cairn-real-peers-")));
  symlinkSync(join(peers, "node_modules"), join(folder, "node_modules"), "junction");
  const own = join(peers, "node_modules/cairn-checkpoint");
  if (!existsSync(own)) symlinkSync(root, own, "junction");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "example", type: "module" }));
});
afterAll(() => {
  if (peers !== undefined) rmSync(folder, { recursive: true, force: true });
});

function run(args: readonly string[], env: Record<string, string> = {}): string {
  try {
    return execFileSync(process.execPath, args, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: folder, ...env },
      timeout: 120_000,
    });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${stdout}${stderr}`, { cause: error });
  }
}

const TYPES = `
import type { SessionStore, foldSessionSummary } from "@anthropic-ai/claude-agent-sdk";
import type {
  AgentInputItem, Session, SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession,
} from "@openai/agents-core";
import type { AgentSdkSessionStore, FoldSessionSummary } from "cairn-checkpoint/agent-sdk";
import type { CairnSession } from "cairn-checkpoint/openai-agents";

type Accepts<Wanted, Given extends Wanted> = [Wanted, Given];
export type Checks = [
  Accepts<SessionStore, AgentSdkSessionStore>,
  Accepts<FoldSessionSummary, typeof foldSessionSummary>,
  Accepts<Session, CairnSession<AgentInputItem>>,
  Accepts<SessionHistoryTransactionAwareSession, CairnSession<AgentInputItem>>,
  Accepts<SessionHistoryRewriteAwareSession, CairnSession<AgentInputItem>>,
];
// @ts-expect-error: a check that accepts anything would say nothing.
export type Fails = Accepts<SessionStore, { append(): string }>;
`;

const CLAUDE = `
import { deleteSession, foldSessionSummary, getSessionMessages, importSessionToStore, listSessions } from "@anthropic-ai/claude-agent-sdk";
import { openCairn } from "cairn-checkpoint";
import { agentSdkSessionStore } from "cairn-checkpoint/agent-sdk";

const [dir, id] = process.argv.slice(2);
const cairn = await openCairn({ path: ".cairn-claude" });
const sessionStore = agentSdkSessionStore(cairn, { foldSessionSummary });
await importSessionToStore(id, sessionStore, { dir, batchSize: 5 });
await importSessionToStore(id, sessionStore, { dir });
const sessions = await listSessions({ dir, sessionStore });
const messages = await getSessionMessages(id, { dir, sessionStore });
await deleteSession(id, { dir, sessionStore });
const left = await listSessions({ dir, sessionStore });
await cairn.close();
console.log(JSON.stringify({ sessions, uuids: messages.map(({ uuid }) => uuid), left }));
`;

const OPENAI = `
import { Agent, run, setTracingDisabled, tool } from "@openai/agents-core";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents-core/testing";
import { openCairn } from "cairn-checkpoint";
import { CairnSession } from "cairn-checkpoint/openai-agents";
import { z } from "zod";

setTracingDisabled(true);
const look = tool({ name: "look", description: "d", parameters: z.object({}), execute: async () => "a door" });
async function turn(prompt, responses) {
  const cairn = await openCairn({ path: ".cairn-openai" });
  const model = new ScriptedModel(responses);
  const agent = new Agent({ name: "a", model, tools: [look] });
  const session = new CairnSession(cairn, { sessionId: "s" });
  const result = await run(agent, prompt, { session });
  const items = await session.getItems();
  await cairn.close();
  return { output: result.finalOutput, seen: model.calls.map(({ request }) => request.input), items };
}
const first = await turn("Where am I?", [[functionCall("look", {}, { callId: "c1" })], [assistantMessage("Before a door.")]]);
const second = await turn("And now?", [[assistantMessage("Still there.")]]);
console.log(JSON.stringify({ first, second }));
`;

describe.skipIf(peers === undefined)("the adapters with the packages that they are for", () => {
  it("have the types that these ask for", () => {
    writeFileSync(join(folder, "types.ts"), TYPES);
    const options =
      "--noEmit --strict --skipLibCheck --exactOptionalPropertyTypes --module nodenext --target es2024";
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules/@types")];
    expect(
      run([join(root, "node_modules/typescript/bin/tsc"), ...options.split(" "), ...types, "types.ts"]),
    ).toBe("");
  });

  it("keep sessions of the Claude Agent SDK: imported twice, they are there once, and it lists, reads and deletes them", () => {
    const project = join(folder, "project");
    mkdirSync(project);
    // Only what comes before the compaction: what comes after hides it.
    const recorded = claudeLines(project).slice(1, 20);
    const lines = recorded.map((line, n) => ({
      ...line,
      uuid: uuid(n),
      parentUuid: n === 0 ? null : uuid(n - 1),
    }));
    writeText(claudePath(join(folder, "config"), project), asText(lines));
    writeFileSync(join(folder, "claude.mjs"), CLAUDE);
    const out = run(["claude.mjs", project, CLAUDE_ID], { CLAUDE_CONFIG_DIR: join(folder, "config") });
    const { sessions, uuids, left } = JSON.parse(out) as {
      sessions: object[];
      uuids: string[];
      left: object[];
    };
    expect(sessions).toMatchObject([
      { sessionId: CLAUDE_ID, firstPrompt: "Add a login page. Keep it small." },
    ]);
    expect(uuids.length).toBeGreaterThan(10);
    expect(new Set(uuids).size).toBe(uuids.length);
    expect(left).toEqual([]);
  });

  it("keep a conversation of the OpenAI Agents SDK from one process's run to the next", () => {
    writeFileSync(join(folder, "openai.mjs"), OPENAI);
    const { first, second } = JSON.parse(run(["openai.mjs"])) as Record<
      "first" | "second",
      { output: string; seen: { content?: unknown; type?: string }[][]; items: { type?: string }[] }
    >;
    expect(first.output).toBe("Before a door.");
    expect(first.items.map(({ type }) => type)).toEqual([
      "message",
      "function_call",
      "function_call_result",
      "message",
    ]);
    expect(second.output).toBe("Still there.");
    expect(second.seen[0]?.map(({ type }) => type)).toEqual([
      ...first.items.map(({ type }) => type),
      "message",
    ]);
    expect(second.items).toHaveLength(6);
  });
});

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
