import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

import { Sandbox } from "../cli/support/sandbox.ts";
import { scaled, skipLoudly, TIMEOUT_MS } from "./support/scale.ts";
import { whyNoStrace } from "./support/strace.ts";

const isSkipped = whyNoStrace && skipLoudly("a disk that gives nothing back", whyNoStrace);

describe.skipIf(isSkipped)("a disk that gives nothing back", () => {
  it("is called a disk that fails, not a damaged store", { timeout: TIMEOUT_MS }, () => {
    const box = new Sandbox();
    for (const notes of ["one", "two", "three"]) box.run(["now", "--notes", notes]);
    box.run(["doctor"]);
    const [store, log] = [join(box.folder, ".cairn/store.sqlite"), join(box.home, "strace.log")];
    const heard: string[] = [];
    for (const args of [["load"], ["verify"], ["list"], ["doctor"], ["now"]]) {
      for (let from = 1; from <= scaled(2, 12); from++) {
        const faults = [`inject=pread64:error=EIO:when=${from}+`, "inject=read:error=EIO:when=1+"];
        const strace = ["-f", "-qq", "-o", log, "-P", store, "-e", "trace=read,pread64"];
        const [program = "", ...rest] = [...faults.flatMap((fault) => ["-e", fault]), ...box.argv(args)];
        const { stdout, stderr } = spawnSync("strace", [...strace, program, ...rest], {
          cwd: box.folder,
          env: box.environment(),
          encoding: "utf8",
        });
        const hasStruck = readFileSync(log, "utf8").includes("(INJECTED)");
        if (hasStruck)
          heard.push(`${args[0]} ${from}: ${/The (disk|store) [^.]*\./.exec(stdout + stderr)?.[0]}`);
      }
    }
    box.remove();
    expect(heard.length).toBeGreaterThanOrEqual(scaled(7, 10));
    expect(heard.filter((line) => !line.includes("The disk reported an error"))).toEqual([]);
  });

  it.each([
    ["mkdir", ".cairn", '"PROJECT/.cairn"'],
    ["write", ".cairn/.gitignore", '"PROJECT/.cairn/.gitignore"'],
    ["fsync", "", "A file"],
  ])("is named when it fails at the first %s", (call, file, named) => {
    const box = new Sandbox();
    const strace = ["-qq", "-o", "/dev/null", "-P", join(box.folder, file), "-e", `inject=${call}:error=EIO`];
    const { status, stderr } = spawnSync("strace", [...strace, ...box.argv(["now"])], {
      cwd: box.folder,
      env: box.environment(),
      encoding: "utf8",
    });
    const message = `error: ${named} cannot be read or written: the disk reported an error.`;
    expect([status, box.stable(stderr)]).toEqual([
      1,
      `${message}\nhint: Check the disk: checkpoint doctor\n`,
    ]);
    box.remove();
  });

  it.each([
    ["openat", "unable to open database file"],
    ["pwrite64", "disk I/O error"],
  ])("is named when it fails at a %s of a run's lock", (call, reason) => {
    const box = new Sandbox();
    box.write("flow.yaml", "name: flow\nsteps:\n  - id: work\n    run: echo done\n");
    box.run(["now"]);
    const path = join(box.folder, ".cairn/runs/new/lock-1-journal");
    const strace = ["-qq", "-o", "/dev/null", "-P", path, "-e", `inject=${call}:error=EIO`];
    const { status, stderr } = spawnSync(
      "strace",
      [...strace, ...box.argv(["run", "flow.yaml", "--run-id", "new"])],
      { cwd: box.folder, env: box.environment(), encoding: "utf8" },
    );
    expect([status, box.stable(stderr)]).toEqual([
      1,
      expect.stringContaining(`error: The lock "PROJECT/.cairn/runs/new/lock-1" cannot be used: ${reason}.`),
    ]);
    box.remove();
  });
});
