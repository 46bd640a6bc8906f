import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { skipLoudly } from "../faults/support/scale.ts";
import { Sandbox } from "./support/sandbox.ts";

/** Nobody's user and group: to root, who runs many a test, every folder can be written. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const asNobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const whyNotNobody =
  spawnSync(process.execPath, ["-e", "require('node:fs').readdirSync('.')"], asNobody).status !== 0 &&
  skipLoudly("a folder that cannot be written", "this one can only be read by root");

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("wrong input", () => {
  it.each([
    [["lst"]],
    [["chekpoint"]],
    [["task"]],
    [["tsk", "add", "x"]],
    [["task", "ad", "x"]],
    [["runs", "shwo"]],
    [["now", "--note", "x"]],
    [["now", "--notes"]],
    [["now", "--notes", "--json"]],
    [["now", "--var", "a"]],
    [["now", "--json=yes"]],
    [["now", "extra"]],
    [["now", "it's", "$(done)"]],
    [["trails", "list"]],
    [["phase", "list"]],
    [["set", "region=eu west"]],
    [["goal", "Ship", "the", "login", "page"]],
    [["list", "--limit", "0"]],
    [["list", "--limit", "many"]],
    [["list", "--limit=-1"]],
    [["summary", "--level", "huge"]],
    [["watch", "--every", "soon"]],
    [["completion", "powershell"]],
    [["completion"]],
    [["set", "key"]],
    [["now", "--trail", "a b"]],
    [["now", "--trail", "x".repeat(300)]],
    [["help", "exitcodes"]],
    [["-C", "nowhere", "now"]],
    [["--nonsense"]],
    [["--vesion"]],
    [["export", "ckpt-2026", "--history"]],
    [["prune", "--all", "--trail", "main"]],
    [["list", "--all", "--trail", "main"]],
    [["log", "--graph", "--trail", "main"]],
  ])("checkpoint %j", (args) => {
    const seen = box.see(...args);
    expect(seen).toMatchSnapshot();
    expect(seen).toMatch(/\[exit [23]\]$/);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("comes back as JSON when JSON was asked for", () => {
    const { stdout, stderr, status } = box.run(["lst", "--json"]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(JSON.parse(stderr)).toMatchInlineSnapshot(`
      {
        "error": {
          "code": "usage",
          "details": {
            "typed": "lst",
          },
          "exit_status": 2,
          "hint": "checkpoint help",
          "message": "There is no command "lst".",
          "suggestion": "list",
        },
        "schema": "cairn/error@1",
      }
    `);
  });

  it("takes options before and after, and text that looks like one", () => {
    box.run(["--trail", "x", "now", "--notes=--json"]);
    expect(box.json("load", "--trail", "x")).toMatchObject({ trail: "x", notes: "--json" });
    box.run(["goal", "--", "--trail"]);
    expect(box.json("load")).toMatchObject({ goal: "--trail" });
    box.run(["now", "--var=a=b=c", "--var", "d", "e=f"]);
    expect(box.json("load")["variables"]).toEqual({ a: "b=c", d: "e=f" });
  });

  it.skipIf(whyNotNobody)("says when a folder cannot be written", () => {
    lockFolder(box.folder);
    const seen = seeAsNobody("now");
    expect(seen).toMatchInlineSnapshot(`
      "! error: "PROJECT/.cairn" cannot be used: permission denied.
      ! hint: Check who owns it and its permissions: checkpoint doctor
      [exit 1]"
    `);
    expect(seeAsNobody("run", "--template", "eight-agents")).toBe(seen);
  });

  it.skipIf(whyNotNobody)(
    "shows what is saved in a folder that cannot be written, and says why it saves nothing there",
    () => {
      box.run(["now", "--notes", "kept"]);
      lockFolder(join(box.folder, ".cairn"));
      expect(seeAsNobody("list")).toMatchInlineSnapshot(
        `"ckpt-20260123-120000-223e2c28  1 min ago  manual  kept"`,
      );
      expect(seeAsNobody("now")).toMatchInlineSnapshot(`
      "! error: The store "PROJECT/.cairn/store.sqlite" cannot be written: it or its folder is read-only.
      ! hint: Make the folder writable for you, or choose another one.
      [exit 1]"
    `);
    },
  );

  it("says when its output cannot be written", () => {
    box.run(["now"]);
    const { stderr, status } = spawnSync("sh", ["-c", `${box.commandLine()} list > /dev/full`], {
      cwd: box.folder,
      env: box.environment(),
      encoding: "utf8",
    });
    expect(box.asSeen({ stdout: "", stderr, status })).toMatchInlineSnapshot(`
      "! error: The output cannot be written: the disk is full.
      ! hint: Free some disk space, then look again: checkpoint status
      [exit 1]"
    `);
  });

  it("refuses a .cairn that leads elsewhere", () => {
    const other = join(box.home, "other");
    mkdirSync(other);
    box.run(["now", "--notes", "of another project"], { cwd: other });
    symlinkSync(join(other, ".cairn"), join(box.folder, ".cairn"));
    for (const command of ["now", "load"]) {
      expect(box.see(command)).toMatchInlineSnapshot(`
        "! error: "PROJECT/.cairn" is a symbolic link, which could lead to another project.
        ! hint: Put a real folder in its place, or work in another folder.
        [exit 4]"
      `);
    }
  });
});

describe("manners", () => {
  it("can be interrupted while it waits for stdin", async () => {
    const [program = "", ...words] = box.argv(["import", "-"]);
    const child = spawn(program, words, { cwd: box.folder, env: box.environment() });
    // More than a pipe holds: once it is written, the command reads.
    await new Promise((written) => child.stdin.write(Buffer.alloc(1024 * 1024, " "), written));
    child.kill("SIGINT");
    expect(await once(child, "exit")).toEqual([130, null]);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("takes an agent without a name for none", () => {
    box.run(["now", "--agent", ""], { env: { CHECKPOINT_AGENT: "bob" } });
    expect(box.json("load")["agent_id"]).toBeNull();
  });

  it("colours only a terminal, unless told otherwise", () => {
    box.run(["now"]);
    const coloured = (env: Record<string, string>, ...args: string[]) =>
      box.run(["list", ...args], { env }).stdout.includes("\u{1b}[");
    expect(coloured({})).toBe(false);
    expect(coloured({ FORCE_COLOR: "1" })).toBe(true);
    expect(coloured({ FORCE_COLOR: "1" }, "--no-color")).toBe(false);
    expect(coloured({ FORCE_COLOR: "1", NO_COLOR: "1" })).toBe(false);
    expect(coloured({ FORCE_COLOR: "0" })).toBe(false);
  });

  it("keeps messages to itself with --quiet, but not warnings and errors", () => {
    expect(box.see("now", "--quiet")).toMatch(/^ckpt-\S+$/);
    expect(box.see("set", "password", "hunter2hunter2", "-q")).toContain("! warning:");
    expect(box.see("load", "ckpt-2020", "-q")).toContain("! error:");
  });

  it("never suggests a destructive command in an error", async () => {
    const { readdirSync, readFileSync } = await import("node:fs");
    const folder = join(import.meta.dirname, "../../src");
    const hints = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
      .flatMap((name) =>
        [...readFileSync(join(folder, name), "utf8").matchAll(/hint: ?[`"'](.*)[`"']/g)].map(
          ([, hint]) => hint,
        ),
      );
    expect(hints.length).toBeGreaterThan(50);
    expect(
      hints.filter((hint) => /\brm\b|prune|delete|--force|reset --hard|git clean/.test(hint ?? "")),
    ).toEqual([]);
  });
});

describe.skipIf(whyNotNobody || !isRoot)("another user's store", () => {
  it("is refused, and not taken for none", () => {
    box.run(["now"]);
    chmodSync(box.home, 0o755);
    for (const args of [["status"], ["now"], ["list"]])
      expect(seeAsNobody(...args)).toContain(
        '! error: "PROJECT/.cairn" belongs to another user (uid 0) and is not readable.',
      );
    expect(seeAsNobody("status")).toContain("[exit 4]");
    box.git("init", "-q");
    const findings = seeAsNobody("doctor").split("\n");
    expect(findings.filter((line) => /^(FAIL|warn) /.test(line))).toEqual([
      "FAIL  folder     PROJECT/.cairn belongs to another user.",
      'FAIL  store      "PROJECT/.cairn" belongs to another user (uid 0) and is not readable.',
    ]);
  });
});

/** Makes a folder unwritable to whoever runs `seeAsNobody`, who owns it. */
function lockFolder(folder: string): void {
  chmodSync(box.home, 0o755);
  for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))]) {
    if (isRoot) chownSync(path, NOBODY, NOBODY);
  }
  chmodSync(folder, 0o500);
}

function seeAsNobody(...args: string[]): string {
  const [program = "", ...words] = box.argv(args);
  const options = { cwd: box.folder, env: box.environment(), encoding: "utf8", ...asNobody } as const;
  return box.asSeen(spawnSync(program, words, options));
}
