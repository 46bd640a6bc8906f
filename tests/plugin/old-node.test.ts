import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cpSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
/** Makes the Node that loads it call itself an older one; only the process itself, not what it starts. */
const OLD_NODE = `--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}});Object.defineProperty(process,"execPath",{value:"/old/node"})`;

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
  // As a package is installed: without the Node that a checkout has beside it.
  cpSync(join(REPOSITORY, "bin"), join(box.home, "package/bin"), { recursive: true });
  mkdirSync(join(box.home, "package/dist"));
  cpSync(join(REPOSITORY, "dist/cli"), join(box.home, "package/dist/cli"), { recursive: true });
});
afterEach(() => box.remove());

function hook(event: string, env: Record<string, string> = {}, { client = [] as string[], more = {} } = {}) {
  const fields = { hook_event_name: event, session_id: "5f3a", cwd: box.folder, prompt: "Go" };
  const input = JSON.stringify({ ...fields, ...more });
  const launcher = join(box.home, "package/bin/checkpoint.js");
  return spawnSync(process.execPath, [OLD_NODE, launcher, "hook", ...client], {
    cwd: box.folder,
    env: { ...box.environment(), PATH: "/nothing", ...env },
    input,
    encoding: "utf8",
  });
}

const NOT_SAVING = /^Cairn is not saving this session: checkpoint needs Node .*nodejs\.org/;

describe("a hook that is started by a Node that is too old", () => {
  it("shows the person one message when a session starts, and is silent and harmless otherwise", () => {
    const start = hook("SessionStart");
    expect(start.status).toBe(0);
    const told = expect.stringMatching(NOT_SAVING) as string;
    expect(JSON.parse(start.stdout)).toEqual({
      systemMessage: told,
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: told },
    });
    expect(hook("UserPromptSubmit")).toMatchObject({ status: 0, stdout: "" });
  });

  it.each([
    ["Cursor", "sessionStart", { client: ["--client", "cursor"] }, "additional_context"],
    [
      "Cursor with the hooks of Claude Code",
      "sessionStart",
      { more: { cursor_version: "3" } },
      "additional_context",
    ],
    ["Copilot CLI", "SessionStart", { client: ["--client", "copilot"] }, "additionalContext"],
  ])("tells the model of %s, which has no message for the person", (_client, event, how, field) => {
    const { status, stdout } = hook(event, {}, how);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ [field]: expect.stringMatching(NOT_SAVING) as string });
  });

  it("answers Gemini CLI with JSON, whatever the event", () => {
    const client = ["--client", "gemini"];
    expect(JSON.parse(hook("SessionStart", {}, { client }).stdout)).toMatchObject({
      systemMessage: expect.stringMatching(NOT_SAVING) as string,
    });
    expect(hook("AfterAgent", {}, { client }).stdout).toBe("{}\n");
  });

  it("saves with one that comes later on $PATH", () => {
    const folder = join(box.home, "old");
    mkdirSync(folder);
    writeFileSync(join(folder, "node"), "#!/bin/sh\necho v20.20.2\n", { mode: 0o755 });
    const PATH = [folder, dirname(process.execPath)].join(delimiter);
    expect(hook("UserPromptSubmit", { PATH })).toMatchObject({ status: 0, stderr: "" });
    expect(box.json("load", "--trail", "session/5f3a")).toMatchObject({ goal: "Go" });
  });

  it("does not believe a recorded Node that an older one has replaced, and doctor says so", () => {
    box.run(["init", "--client", "gemini", "--yes"]);
    const old = join(box.home, "node");
    writeFileSync(old, "#!/bin/sh\necho v20.20.2; exit 8\n", { mode: 0o755 });
    writeFileSync(join(box.home, ".local/state/cairn/node"), `${old}\n`);
    expect(hook("SessionStart").stdout).toContain("Cairn is not saving this session: checkpoint needs Node");
    const { findings } = box.json("doctor") as { findings: { level: string; message: string }[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ level: "warning", message: expect.stringContaining(old) as string }),
    );
  });

  it("saves with the Node that init recorded, which doctor checks", () => {
    box.run(["init", "--client", "agents-md", "--yes"]);
    const file = join(box.home, ".local/state/cairn/node");
    expect(readFileSync(file, "utf8").trim()).toBe(process.execPath);
    expect(hook("UserPromptSubmit")).toMatchObject({ status: 0, stderr: "" });
    expect(box.json("load", "--trail", "session/5f3a")).toMatchObject({ goal: "Go" });
    writeFileSync(file, "/gone/bin/node\n");
    const { findings } = box.json("doctor") as { findings: { name: string; level: string }[] };
    expect(findings.find(({ name }) => name === "node")).toMatchObject({ level: "warning" });
  });
});
