import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentRevoke } from "../../src/capabilities/governance/verbs/agents.ts";
import { ledger, ledgerVerify } from "../../src/capabilities/governance/verbs/ledger.ts";
import { Governed } from "./support/governed.ts";

const LAUNCHER = join(import.meta.dirname, "../../bin/checkpoint.js");

let box: Governed;
let bot: Record<string, string>;
beforeEach(async () => {
  box = new Governed();
  await box.found();
  bot = await box.agent("bot", 2);
  await box.close();
});
afterEach(() => box.remove());

interface Asked {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string | Buffer;
  /** stdin stays open, and nothing more comes. */
  readonly isLeftOpen?: boolean;
}

const call = (cwd: string, command = "npm test") =>
  JSON.stringify({
    hook_event_name: "PreToolUse",
    session_id: "s",
    cwd,
    tool_name: "Bash",
    tool_input: { command },
  });

/** What a real process of the gate's hook answers, and whether that was in time for its client. */
async function ask({ cwd = box.folder, env = {}, input = call(box.folder), isLeftOpen = false }: Asked = {}) {
  const started = performance.now();
  const child = spawn(process.execPath, [LAUNCHER, "hook", "--gate"], {
    cwd,
    env: { ...box.env, ...bot, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!isLeftOpen) child.stdin.end();
  const stdout = await text(child.stdout);
  // Its own limits add up to less than five seconds; a busy machine may need longer to start it, and the client waits ten.
  const isInTime = performance.now() - started < 10_000;
  const { hookSpecificOutput } = JSON.parse(stdout) as {
    hookSpecificOutput?: { permissionDecision: string; permissionDecisionReason: string };
  };
  return {
    isInTime,
    decision: hookSpecificOutput?.permissionDecision ?? "none",
    reason: hookSpecificOutput?.permissionDecisionReason ?? "",
  };
}

describe("the gate's hook", () => {
  it("decides what it can: JSON, whatever the decision", async () => {
    expect(await ask()).toMatchObject({ decision: "none", isInTime: true });
    expect(await ask({ env: { CHECKPOINT_AGENT: "new" } })).toMatchObject({ decision: "deny" });
  });

  it("denies in time while another process holds the store, and records that later", async () => {
    const lock = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    lock.exec("BEGIN IMMEDIATE");
    const answer = await ask();
    lock.exec("ROLLBACK");
    lock.close();
    expect(answer).toMatchObject({ decision: "deny", isInTime: true });
    expect(answer.reason).toContain("could not decide in time");
    const waiting = join(box.folder, ".cairn/undecided");
    expect(readdirSync(waiting)).toHaveLength(1);
    expect(await ask()).toMatchObject({ decision: "none" });
    expect(readdirSync(waiting)).toEqual([]);
    const entries = await ledger(box.as(), { type: "violation", limit: 5 });
    expect(entries.at(-1)?.entry).toMatchObject({
      rule: "gate-undecided",
      agent: "unknown",
      what: expect.stringMatching(/^agent:bot: Bash: The gate could not decide in time/) as string,
    });
    // The call that was denied as late is not recorded as done, whenever the lock is free.
    const actions = await ledger(box.as(), { type: "action", limit: 50 });
    expect(actions.filter(({ entry }) => entry["action"] === "exec.npm")).toHaveLength(1);
    expect((await ledgerVerify(box.as(), [])).problem).toBeUndefined();
  });

  it("denies what it cannot read: too large, cut off, not JSON, never ending", async () => {
    const large = Buffer.concat([
      Buffer.from(call(box.folder).slice(0, -2)),
      Buffer.alloc(17 * 2 ** 20, "x"),
    ]);
    expect(await ask({ input: large, cwd: box.home })).toMatchObject({ decision: "deny", isInTime: true });
    for (const input of [call(box.folder).slice(0, -5), "rm -rf /", ""])
      expect({ input, ...(await ask({ input })) }).toMatchObject({ input, decision: "deny", isInTime: true });
    const open = await ask({ input: call(box.folder).slice(0, -5), isLeftOpen: true });
    expect(open).toMatchObject({ decision: "deny", isInTime: true });
  });

  it("denies where the environment makes no sense, and names it", async () => {
    const { decision, reason } = await ask({ env: { CHECKPOINT_TIER: "abc" } });
    expect({ decision, reason }).toMatchObject({ decision: "deny" });
    expect(reason).toContain('$CHECKPOINT_TIER is "abc"');
  });

  it("asks the gate of the client's project when the call comes from a folder outside of it", async () => {
    const outside = join(box.home, "elsewhere");
    mkdirSync(outside);
    const asked = { env: { CHECKPOINT_AGENT: "new" } };
    expect(await ask({ ...asked, input: call(outside) })).toMatchObject({ decision: "deny" });
    expect(await ask({ ...asked, input: call(join(box.home, "gone")) })).toMatchObject({ decision: "deny" });
    const env = { CHECKPOINT_AGENT: "new", CLAUDE_PROJECT_DIR: box.folder };
    expect(await ask({ env, input: call(outside), cwd: outside })).toMatchObject({ decision: "deny" });
    expect(await ask({ input: call(outside), cwd: outside })).toMatchObject({ decision: "none" });
  });

  it("asks the gate of the client's project too when the call comes from another that is governed", async () => {
    const own = new Governed();
    const env = { CHECKPOINT_AGENT: "new", CLAUDE_PROJECT_DIR: box.folder };
    const read = call(own.folder).replace("Bash", "Read").replace("command", "file_path");
    expect(await ask({ env, input: read, cwd: own.folder })).toMatchObject({ decision: "none" });
    await agentRevoke(box.as(), { agent: "new", reason: "test" });
    await box.close();
    expect(await ask({ env, input: read, cwd: own.folder })).toMatchObject({ decision: "deny" });
    await own.remove();
  });

  it("takes a call for the client's where no agent is named, never for a person's", async () => {
    const env = { CHECKPOINT_AGENT: "", CHECKPOINT_AGENT_TOKEN: "" };
    expect(await ask({ env })).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/^claude-code may not/),
    });
    const codex = JSON.stringify({ ...JSON.parse(call(box.folder)), turn_id: "t" });
    expect(await ask({ env, input: codex })).toMatchObject({
      decision: "deny",
      reason: expect.stringMatching(/^codex may not/),
    });
    const denied = await ledger(box.as(), { type: "violation" });
    expect(denied.map(({ entry }) => entry["agent"])).toEqual(["claude-code", "codex"]);
  });

  it("denies when the keys are damaged", async () => {
    writeFileSync(join(box.home, ".local/state/cairn/keys/machine.pem"), "");
    expect(existsSync(join(box.folder, ".cairn"))).toBe(true);
    expect(await ask()).toMatchObject({ decision: "deny", isInTime: true });
  });
});
