import { readFileSync } from "node:fs";
import { join } from "node:path";
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
