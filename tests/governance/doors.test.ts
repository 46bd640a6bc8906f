import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openProject } from "../../src/doors/library/project.ts";
import { pageApp } from "../../src/doors/page/app.ts";
import { Live } from "../../src/doors/page/live.ts";
import { Sandbox } from "../cli/support/sandbox.ts";
import { AgentClient } from "../mcp/support/agent-client.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  box.write("cairn.yaml", "governance: on\n");
});
afterEach(() => box.remove());

const ENV = { CHECKPOINT_AGENT: "new" };
const ledger = (type: string) =>
  (box.json("ledger", "--type", type)["entries"] as { entry: object }[]).map(({ entry }) => entry);

describe("the gate is the same behind every door", () => {
  it("of the command", () => {
    expect(box.run(["now"], { env: ENV }).status).toBe(0);
    expect(box.run(["goal", "Ship it"], { env: ENV })).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("T1"),
    });
    expect(ledger("action")).toMatchObject([{ agent: "new", action: "save" }]);
    expect(ledger("violation")).toMatchObject([{ agent: "new", action: "work.change" }]);
  });

  it("for what takes everything elsewhere", () => {
    box.run(["now"], { env: ENV });
    const url = `file://${join(box.home, "share")}`;
    for (const args of [
      ["remote", "add", "origin", url],
      ["backup", join(box.home, "all.backup")],
    ])
      expect(box.run(args, { env: ENV })).toMatchObject({ status: 4, stderr: expect.stringContaining("T1") });
    expect(ledger("violation")).toMatchObject([{ action: "keep.remote" }, { action: "keep.backup" }]);
    expect(box.run(["remote", "list"]).stdout).not.toContain("origin");
    expect(existsSync(join(box.home, "all.backup"))).toBe(false);
  });

  it("for a file with a trail of governance", () => {
    box.run(["goal", "Ship it"], { env: ENV });
    const file = join(box.home, "trail.cairn");
    box.run(["export", "--trail", "cairn/governance", "--history", "--output", file]);
    const other = new Sandbox();
    try {
      for (const args of [[], ["--as", "cairn/evidence"]])
        expect(other.run(["import", file, ...args])).toMatchObject({
          status: 2,
          stderr: expect.stringContaining("belongs to governance"),
        });
      expect(other.json("trails")["trails"]).toEqual([]);
    } finally {
      other.remove();
    }
  });

  it("of the MCP server", async () => {
    const agent = await AgentClient.inProcess(box, { env: ENV });
    try {
      expect((await agent.call("now", { notes: "x" })).isError).toBeFalsy();
      const { isError, error } = await agent.call("goal", { goal: "Ship it" });
      expect({ isError, code: error.code }).toEqual({ isError: true, code: "refused" });
    } finally {
      await agent.close();
    }
    expect(ledger("violation")).toMatchObject([{ agent: "new", action: "work.change" }]);
  });

  it("of the page", async () => {
    box.run(["now"], { env: ENV });
    box.run(["now", "--notes", "again"], { env: ENV });
    const env = { ...ENV, HOME: box.home, PATH: process.env["PATH"] };
    const project = openProject({ path: box.folder, env });
    const live = new Live(async () => Promise.reject(new Error("nobody listens")));
    const resume = async () => Promise.reject(new Error("nothing runs"));
    const page = { port: 1, token: "key", isReadOnly: false, version: "1", files: new Map(), live, resume };
    const headers = { authorization: "Bearer key", host: "127.0.0.1:1" };
    const response = await pageApp({ ...page, project }).request("/api/verb/restore", {
      method: "POST",
      headers,
      body: JSON.stringify({ id: "@~1" }),
    });
    await project.stores.close();
    expect(await response.json()).toMatchObject({ error: { code: "refused" } });
    expect(ledger("violation")).toMatchObject([{ agent: "new", action: "history.restore" }]);
  });

  it("of a hook, whose status is 0 all the same", () => {
    const event = {
      hook_event_name: "PreToolUse",
      session_id: "s",
      cwd: box.folder,
      tool_name: "Bash",
      tool_input: { command: "npm test" },
    };
    const { status, stdout } = box.run(["hook"], { env: ENV, input: JSON.stringify(event) });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: "deny" } });
  });

  it("and costs nothing where nobody switched it on", () => {
    box.write("cairn.yaml", "keep: 5\n");
    expect(box.run(["now"], { env: ENV }).status).toBe(0);
    expect(box.json("ledger")["entries"]).toEqual([]);
    expect(existsSync(join(box.home, ".local/state/cairn/keys"))).toBe(false);
  });
});
