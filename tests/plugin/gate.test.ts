import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";
import { REPOSITORY } from "./support.ts";

const file = join(REPOSITORY, "plugin-gate/hooks/hooks.json");
const { hooks } = JSON.parse(readFileSync(file, "utf8")) as {
  hooks: { PreToolUse: { hooks: { command: string }[] }[] };
};
const [{ command } = { command: "" }] = hooks.PreToolUse[0]!.hooks;

/** As Claude Code sends it before it runs a command. */
const payload = (cwd: string) => {
  const sent = readFileSync(join(import.meta.dirname, "fixtures/claude-pre-tool-use.json"), "utf8");
  return JSON.stringify({ ...(JSON.parse(sent) as object), cwd });
};

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

/** What the plugin's hook answers; `launcher` is what a shell finds as `checkpoint`. */
function answer(launcher: string | undefined, env: Record<string, string> = {}) {
  if (launcher !== undefined) {
    box.write("bin/checkpoint", `#!/bin/sh\nexec ${launcher} "$@"\n`);
    chmodSync(join(box.folder, "bin/checkpoint"), 0o755);
  }
  const PATH = `${join(box.folder, "bin")}:/usr/bin:/bin`;
  const options = { cwd: box.folder, env: { ...box.environment(), ...env, PATH }, encoding: "utf8" } as const;
  const { stdout, status } = spawnSync("/bin/sh", ["-c", command], {
    ...options,
    input: payload(box.folder),
  });
  expect(status).toBe(0);
  return (JSON.parse(stdout) as { hookSpecificOutput?: object }).hookSpecificOutput;
}

describe("the plugin that asks the gate", () => {
  it("denies what the agent's tier does not allow, and says why", () => {
    box.write("cairn.yaml", "governance: on\n");
    expect(answer(box.commandLine(), { CHECKPOINT_AGENT: "new" })).toEqual({
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("new may not do") as string,
    });
  });

  it("has no opinion where nobody governs", () => {
    expect(answer(box.commandLine())).toBeUndefined();
  });

  it.each([
    ["missing", undefined],
    ["broken", "false"],
    ["one that says something else", "echo hello"],
    ["one that says nothing", "true"],
    ["one that fails after its answer", "sh -c 'echo {}; exit 1'"],
    ["too slow", "sleep 60;:"],
  ])("denies where the command is %s", { timeout: 20_000 }, (_, launcher) => {
    expect(answer(launcher)).toMatchObject({
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("The gate cannot be asked") as string,
    });
  });

  it("blocks in Claude Code when the hook itself fails", () => {
    expect(hooks.PreToolUse[0]?.hooks[0]).toMatchObject({ onFailure: "block", timeout: 10 });
  });
});
