import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Hooks } from "../sessions/support/hooks.ts";
import { Sandbox } from "./support/sandbox.ts";

const RECORDER = new URL("./support/record-packages.js", import.meta.url).href;

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

/** The packages that a command loads. */
function packagesOf(args: readonly string[], input = ""): string[] {
  const file = join(box.home, "packages.txt");
  const env = { NODE_OPTIONS: `--import=${RECORDER}`, CAIRN_TEST_PACKAGES: file };
  expect(box.runAlone(args, { env, input })).toMatchObject({ status: 0 });
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}

// Loading zod takes longer than starting Node.
describe("a command that is started often", () => {
  it.each([["now"], ["load"], ["list"], ["summary"]])("loads no package: %s", (word) => {
    box.run(["now"]);
    expect(packagesOf([word])).toEqual([]);
  });

  it("loads no package: hook, even where a config has other settings", () => {
    box.write("cairn.yaml", "keep: 5\n");
    const payload = new Hooks(box).payload("claude/user-prompt-submit");
    expect(packagesOf(["hook"], payload)).toEqual([]);
    expect(box.see("list", "--all")).toContain("session/");
  });
});

describe("a package", () => {
  it("is loaded by the command that needs it", () => {
    box.write("cairn.yaml", "keep: 5\n");
    expect(packagesOf(["config"])).toEqual(["yaml"]);
    expect(packagesOf(["mcp"])).toEqual(expect.arrayContaining(["zod", "@modelcontextprotocol/server"]));
  });
});

describe("the package as npm packs it", () => {
  // Packing takes long, so all is looked at in one package.
  it("is sound, and has all that its commands, the plugin and init need: README's first steps work in a fresh folder", async () => {
    const root = join(import.meta.dirname, "../..");
    const options = { cwd: box.home, shell: process.platform === "win32" };
    execFileSync("npm", ["pack", root, "--ignore-scripts", "--silent"], options);
    const [tarball = ""] = readdirSync(box.home).filter((name) => name.endsWith(".tgz"));
    const packed = new Uint8Array(readFileSync(join(box.home, tarball))).buffer;
    expect(await publint({ pack: { tarball: packed }, strict: true })).toMatchObject({ messages: [] });
    execFileSync("tar", ["-xzf", tarball], options);
    const installed = join(box.home, "package");
    symlinkSync(join(root, "node_modules"), join(installed, "node_modules"), "junction");
    expect(COPIED.filter((name) => !existsSync(join(installed, name)))).toEqual([]);
    const launcher = join(installed, "bin/checkpoint.js");
    const steps = [["now", "--notes", "Starting task X"], ["status"], ["summary"], ["init", "--yes"]];
    for (const args of [...steps, ["run", "--template", "eight-agents", "--dry-run"]])
      expect({ args, ...box.runAlone(args, { launcher }) }).toMatchObject({ args, status: 0 });
  });
});

/** What clients, `init` and `templates` take from the package. */
const COPIED = [
  ".claude-plugin/marketplace.json",
  "plugin/.claude-plugin/plugin.json",
  "plugin/.claude-plugin/icon.png",
  "plugin/.codex-plugin/plugin.json",
  "plugin/.mcp.json",
  "plugin/hooks/hooks.json",
  "plugin/hooks/codex.json",
  "plugin/skills/checkpoint/SKILL.md",
  "plugin-gate/hooks/hooks.json",
  "examples/clients/gemini/settings.json",
  "examples/clients/opencode/cairn.js",
  "examples/clients/snippets/AGENTS.md",
  "templates/eight-agents.yaml",
  "templates/agent.sh",
];
