import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "../cli/support/sandbox.ts";

const packageRoot = join(import.meta.dirname, "../..");

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const put = (name: string, text: string) => box.writeHome(name, text);

/** Claude Code's settings with the plugin from a folder of the person's. */
const from = (path: string) =>
  JSON.stringify({
    extraKnownMarketplaces: { cairn: { source: { source: "directory", path } } },
    enabledPlugins: { "cairn@cairn": true },
  });

const settings = () => readFileSync(join(box.home, ".claude/settings.json"), "utf8");
const init = (...more: string[]) => box.run(["init", "--client", "claude", "--yes", ...more]);

describe("Claude Code with the plugin from a checkout, and the command from a package", () => {
  it("is called set up, and left alone", () => {
    const checkout = join(box.home, "src/cairn");
    put("src/cairn/.claude-plugin/marketplace.json", "{}");
    put(".claude/settings.json", from(checkout));
    const { findings } = box.json("doctor") as { findings: { name: string; level: string }[] };
    expect(findings.find(({ name }) => name === "claude")).toMatchObject({ level: "ok" });
    init();
    expect(settings()).toBe(from(checkout));
    expect(init("--remove").stderr).toContain("/plugin uninstall cairn@cairn");
    expect(settings()).toBe(from(checkout));
  });

  it("gets this package once that checkout is gone", () => {
    put(".claude/settings.json", from(join(box.home, "src/cairn")));
    init();
    expect(settings()).toContain(JSON.stringify(packageRoot));
  });

  it("is taken out of another Node's packages all the same", () => {
    const other = join(box.home, "nvm/v22/lib/node_modules/cairn-checkpoint");
    put("nvm/v22/lib/node_modules/cairn-checkpoint/.claude-plugin/marketplace.json", "{}");
    put(".claude/settings.json", from(other));
    init("--remove");
    expect(existsSync(join(box.home, ".claude/settings.json"))).toBe(false);
  });
});
