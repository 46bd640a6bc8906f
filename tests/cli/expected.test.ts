import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("what people expect without asking", () => {
  it("a long value is shortened on the screen, and whole in JSON", () => {
    const long = "x".repeat(100_000);
    expect(box.run(["set", "page", long]).stdout.length).toBeLessThan(300);
    expect(box.run(["load"]).stdout.length).toBeLessThan(1500);
    expect(box.json("load")["variables"]).toEqual({ page: long });
    expect(box.run(["unset", "page"]).stdout.length).toBeLessThan(300);
  });

  it("a variable needs a name, whichever command sets it", () => {
    for (const command of [
      ["now", "--var", "", "x"],
      ["set", " ", "x"],
    ])
      expect(box.run(command)).toMatchObject({ status: 2, stderr: expect.stringContaining("name is empty") });
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("a home that does not exist stays so", () => {
    const home = join(box.home, "nonexistent");
    const env = { HOME: home, XDG_CACHE_HOME: "" };
    for (const command of ["now", "status", "doctor"]) expect(box.run([command], { env }).status).toBe(0);
    expect(existsSync(home)).toBe(false);
  });

  it("doctor does not ask for what init has just done", () => {
    box.run(["init", "--yes"]);
    expect(box.run(["doctor"]).stdout).not.toContain("try: checkpoint init");
  });

  it("the hint to trust a run repeats what was asked for", () => {
    box.write("w.yaml", "name: w\nsteps:\n  - { id: plan, run: 'true' }\n  - { id: build, run: 'true' }\n");
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    const env = { HOME: box.folder };
    expect(box.run(["resume", "w-1", "--redo", "plan"], { env }).stderr).toContain(
      "checkpoint resume w-1 --redo plan --trust",
    );
  });
});

/** An older Node, if the machine has one. */
const older = ["/usr/bin/node", "/usr/local/bin/node"].find((path) => {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return stdout !== null && /^v(1\d|20|21)\./.test(stdout ?? "");
});

it.skipIf(older === undefined)(
  "the library says which Node it needs, instead of failing in an import",
  () => {
    const index = new URL("../../dist/doors/library/index.js", import.meta.url).href;
    const { stderr } = spawnSync(older as string, ["--input-type=module", "-e", `await import("${index}")`], {
      encoding: "utf8",
    });
    expect(stderr).toMatch(/CheckpointError: This is Node \d+\.\d+\.\d+, which has no SQLite\./);
    expect(stderr).toContain("Use Node 22.22.3 or later in 22, or 24.15 or later.");
  },
);
