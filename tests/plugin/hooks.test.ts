import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hookPayload } from "../../src/doors/mcp/hook-payload.ts";
import type { ClientName } from "../../src/work/clients/clients.ts";
import { Client } from "../sessions/support/client.ts";
import { hooksIn, read, readJson } from "./support.ts";

const FILES = ["hooks/hooks.json", "hooks/codex.json"];

describe("the hooks of the plugin", () => {
  /**
   * Codex runs a hook only while it has the hash that the person trusted. Every change here makes it ask everybody
   * again, and until they answer nothing is saved. So change these files only when that is worth it, and say so in the
   * changelog; then put the new hash here.
   */
  it("are the same bytes in every release", () => {
    const hashes = FILES.map((name) => [name, createHash("sha256").update(read(name)).digest("hex")]);
    expect(Object.fromEntries(hashes)).toEqual({
      "hooks/codex.json": "47425bf60b546c15a513104a804402b09bf42cfaa2cce22df86b375639e4bb2e",
      "hooks/hooks.json": "4fb424d96ac8a4ef1882e154eaaf9e865d9edfd4ac32cd8aca77b4f5781611cb",
    });
  });

  it.each(FILES)("in %s hold nothing that changes: no version, no path, no list of arguments", (name) => {
    expect(read(name)).not.toMatch(/\d+\.\d+|node_modules|"args"|https?:|npx/);
    for (const { hook } of hooksIn(name)) {
      expect(hook.timeout).toBeGreaterThanOrEqual(2);
      const isOurs =
        hook.type === "command"
          ? hook.command?.startsWith("command -v checkpoint >")
          : hook.server === serverName() && hook.tool === "capture";
      expect({ hook, isOurs }).toMatchObject({ isOurs: true });
    }
  });

  it("start a session by a command, because no MCP server is connected yet", () => {
    for (const name of FILES) {
      const start = hooksIn(name).find(({ event }) => event === "SessionStart");
      expect(start?.hook.type).toBe("command");
    }
    // An MCP hook in Codex fails when its template names a field that the event lacks.
    expect(hooksIn("hooks/codex.json").map(({ hook }) => hook.type)).not.toContain("mcp_tool");
  });

  it("cover every event of which something is kept", () => {
    const folder = join(import.meta.dirname, "../sessions/fixtures");
    const recorded = (client: ClientName) =>
      readdirSync(join(folder, client)).map((file) => {
        const event = JSON.parse(readFileSync(join(folder, client, file), "utf8")) as Record<string, string>;
        return event["hook_event_name"];
      });
    const events = (name: string) => hooksIn(name).map(({ event }) => event);
    // Calls are told by PostToolBatch in Claude Code; of notifications nothing is kept.
    const left = new Set(["PostToolUse", "Notification"]);
    // Before a command of the shell, the files are looked at.
    expect(new Set(events("hooks/hooks.json"))).toEqual(
      new Set(["PreToolUse", ...recorded("claude").filter((event) => !left.has(event ?? ""))]),
    );
    // Codex says nothing after a compaction that the session's start does not say too.
    expect(new Set(events("hooks/codex.json"))).toEqual(
      new Set(recorded("codex").filter((event) => event !== "PostCompact")),
    );
  });

  it("start no process in Codex for a call of which nothing is kept", () => {
    const [{ matcher = "" } = {}] = (
      readJson("hooks/codex.json") as { hooks: { PostToolUse: { matcher?: string }[] } }
    ).hooks.PostToolUse;
    const isMatched = (tool: string) => new RegExp(matcher).test(tool);
    const folder = join(import.meta.dirname, "../sessions/fixtures/codex");
    const calls = readdirSync(folder)
      .filter((file) => file.startsWith("post-tool-use"))
      .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as { tool_name: string });
    expect(calls.length).toBeGreaterThan(2);
    for (const { tool_name } of calls)
      expect({ tool_name, isMatched: isMatched(tool_name) }).toEqual({ tool_name, isMatched: true });
    expect(["mcp__cairn__decide", "view_image", "web_search"].filter(isMatched)).toEqual([]);
  });

  it("pass on everything that the same event would tell a command", async () => {
    const [whole, filled] = [new Client(), new Client()];
    try {
      const templates = new Map(hooksIn("hooks/hooks.json").map(({ event, hook }) => [event, hook.input]));
      const files = readdirSync(join(import.meta.dirname, "../sessions/fixtures/claude")).filter(
        // What ends a session would hide what came before.
        (file) => !/^(session-end|notification|post-tool-use)\.json$/.test(file),
      );
      expect(files.length).toBeGreaterThan(15);
      for (const file of files) {
        const answers = [];
        for (const client of [whole, filled]) {
          const event = payload(client, "claude", file);
          const template = templates.get(event["hook_event_name"] as string);
          const sent = client === whole || template === undefined ? event : fill(template, event);
          const { stdout, warning } = await client.give(sent);
          answers.push({ file, warning, stdout: stdout.replaceAll(client.home, "HOME") });
        }
        expect(withoutNames(answers[1])).toEqual(withoutNames(answers[0]));
      }
      const states = await Promise.all(
        [whole, filled].map(
          async (client) =>
            JSON.parse(JSON.stringify(await client.state()).replaceAll(client.home, "HOME")) as object,
        ),
      );
      expect(withoutNames(states[1])).toEqual(withoutNames(states[0]));
      expect(states[0]).toMatchObject({ goal: expect.any(String) as string });
    } finally {
      whole.remove();
      filled.remove();
    }
  });
});

describe("without the command checkpoint", () => {
  const run = (command: string, path: string) =>
    spawnSync("/bin/sh", ["-c", command], { env: { PATH: path }, encoding: "utf8", input: "{}" });

  it.each(FILES)("the hooks of %s fail nothing, and the first says what to do", (name) => {
    for (const { event, hook } of hooksIn(name).filter(({ hook }) => hook.type === "command")) {
      const { status, stdout, stderr } = run(hook.command as string, "/nowhere");
      expect({ event, status, stderr }).toEqual({ event, status: 0, stderr: "" });
      const { systemMessage = "" } = stdout === "" ? {} : (JSON.parse(stdout) as { systemMessage?: string });
      expect({ event, says: systemMessage.includes("npm install") }).toEqual({
        event,
        says: event === "SessionStart",
      });
    }
  });

  it.each(FILES)("the hooks of %s hand everything over once it is there", (name) => {
    const folder = mkdtempSync(join(tmpdir(), "cairn-plugin-"));
    try {
      writeFileSync(
        join(folder, "checkpoint"),
        '#!/bin/sh\necho "$@"; IFS= read -r line; echo "$line"; exit 7\n',
      );
      chmodSync(join(folder, "checkpoint"), 0o755);
      for (const { event, hook } of hooksIn(name).filter(({ hook }) => hook.type === "command")) {
        const { status, stdout } = run(hook.command as string, folder);
        expect({ event, status, stdout }).toEqual({ event, status: 7, stdout: "hook\n{}\n" });
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function serverName(): string {
  const { name } = readJson(".claude-plugin/plugin.json") as { name: string };
  const [server] = Object.keys((readJson(".mcp.json") as { mcpServers: object }).mcpServers);
  return `plugin:${name}:${server}`;
}

function payload(client: Client, name: ClientName, file: string): Record<string, unknown> {
  return client.payload(`${name}/${file.replace(/\.json$/, "")}`);
}

/** As Claude Code fills a template in: what is no text becomes JSON, what is not there an empty text. */
function fill(template: Readonly<Record<string, string>>, event: Record<string, unknown>): object {
  const filled = Object.entries(template).map(([key, place]) => {
    const value = event[place.slice(2, -1)] ?? "";
    return [key, typeof value === "string" ? value : JSON.stringify(value)];
  });
  return hookPayload(Object.fromEntries(filled) as Record<string, unknown>);
}

/** Two stores have different keys and clocks, and so other names for the fences and checkpoints in a handoff. */
function withoutNames(answer: unknown): unknown {
  const text = JSON.stringify(answer)
    .replaceAll(/ckpt-\d+-\d+-[0-9a-f]+/g, "CKPT")
    .replaceAll(/data-[0-9a-f]+/g, "DATA")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  return JSON.parse(text) as unknown;
}
