import { chownSync, cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const WORKFLOW = `name: w
steps:
  - id: ok
    approve: Is it ok?
  - id: build
    run: [touch, "it was run"]
    verify: test -f "it was run"
`;

describe("whose commands run", () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
    box.write("w.yaml", WORKFLOW);
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    box.run(["approve", "w-1"]);
  });
  afterEach(() => box.remove());
  /** The project as somebody else would clone it, with its store in it. */
  const clone = () => {
    const cwd = join(box.home, "clone");
    cpSync(box.folder, cwd, { recursive: true });
    return cwd;
  };

  it("resumes a run of a store that was made here, without a word", () => {
    expect(box.run(["resume", "w-1"]).status).toBe(0);
  });

  it("runs none of them once they were copied into a store that was made here", () => {
    clone();
    rmSync(join(box.folder, ".cairn"), { recursive: true });
    box.run(["now"]);
    expect(box.run(["store", "copy", join(box.home, "clone"), "local"]).status).toBe(0);
    expect(box.run(["resume", "w-1"])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining("came from elsewhere"),
    });
  });

  it("shows the commands of a store that came along, and runs none of them", () => {
    const cwd = clone();
    expect(box.asSeen(box.run(["resume", "w-1"], { cwd }))).toMatchInlineSnapshot(`
      "! error: Run "w-1" came from elsewhere, and would run this on your machine:
      !   build: touch 'it was run'
      !   build (verify): test -f "it was run"
      ! hint: Read it. If you want these commands to run: checkpoint resume w-1 --trust
      [exit 4]"
    `);
    expect(
      box
        .asSeen(box.run(["resume", "--yes"], { cwd }))
        .split("\n")
        .at(-1),
    ).toBe("[exit 4]");
    expect(box.run(["run", "w.yaml", "--resume"], { cwd }).status).toBe(4);
    expect(box.run(["resume", "w-1", "--redo", "1"], { cwd }).status).toBe(4);
    expect(box.asSeen(box.run(["resume", "w-1", "--dry-run"], { cwd }))).toMatchInlineSnapshot(`
      "w-1  1 of 2 steps done (50 %)
      [x] ok     done
      [>] build  its needs are met  touch 'it was run'

      It cannot simply be resumed:
        This store came from elsewhere, and its runs contain commands.
          checkpoint runs show w-1 --commands, and then resume with --trust if you want these commands to run
      [exit 4]"
    `);
    expect(existsSync(join(cwd, "it was run"))).toBe(false);
  });

  it("runs exactly what it showed when the user says so, and remembers it", () => {
    const cwd = clone();
    // What the file says by now was not shown.
    box.write("../clone/w.yaml", WORKFLOW.replace("it was run", "something else"));
    expect(box.asSeen(box.run(["resume", "w-1", "--trust"], { cwd }))).toMatchInlineSnapshot(`
      "w-1  completed  2 of 2 steps

      To see more
        checkpoint runs show w-1            # what it did
        checkpoint summary --trail run/w-1  # a briefing on it
      ! Run "w-1" came from elsewhere. It would run this on your machine:
      !   build: touch 'it was run'
      !   build (verify): test -f "it was run"
      ! w-1 resumes: 1 of 2 steps done
      !     done: ok
      !     next: build
      !     last activity: 1 min ago
      ! [>] build
      ! [x] build  0 ms"
    `);
    expect(existsSync(join(cwd, "something else"))).toBe(false);
    const { status, stderr } = box.run(["resume", "w-1"], { cwd });
    expect({ status, stderr }).toEqual({ status: 0, stderr: 'Run "w-1" was completed already.\n' });
  });

  it("asks again when the file of a run from elsewhere says something else by now", () => {
    const cwd = clone();
    const failing = WORKFLOW.replace('[touch, "it was run"]', "touch first; exit 1");
    box.write("../clone/w.yaml", failing);
    // The store came along, so its run is started over with what the file of that time said.
    box.run(["run", "w.yaml", "--run-id", "w-2"], { cwd });
    box.run(["approve", "w-2"], { cwd });
    const away = join(box.home, "away");
    cpSync(cwd, away, { recursive: true });
    const seen = (...args: string[]) => box.asSeen(box.run(args, { cwd: away }));
    expect(seen("resume", "w-2", "--trust")).toContain("[exit 1]");
    expect(existsSync(join(away, "first"))).toBe(true);
    box.write("../away/w.yaml", failing.replace("touch first; exit 1", "touch second"));
    expect(seen("resume", "w-2")).toMatchInlineSnapshot(`
      "! error: Run "w-2" came from elsewhere, and would run this on your machine:
      !   build: touch second
      !   build (verify): test -f "it was run"
      ! hint: Read it. If you want these commands to run: checkpoint resume w-2 --trust
      [exit 4]"
    `);
    expect(seen("resume", "w-2", "--dry-run")).toContain("This store came from elsewhere");
    expect(seen("resume", "w-2", "--redo", "build")).toContain("[exit 4]");
    expect(existsSync(join(away, "second"))).toBe(false);
    expect(seen("resume", "w-2", "--redo", "build", "--trust")).not.toContain("[exit 4]");
    expect(existsSync(join(away, "second"))).toBe(true);
    // The fork is as much of a stranger as the run that it came from.
    box.write("../away/w.yaml", failing.replace("touch first; exit 1", "touch third"));
    expect(seen("resume", "w-2~2")).toContain("[exit 4]");
    expect(existsSync(join(away, "third"))).toBe(false);
  });

  it("does not trust another user's word: what is remembered is one's own", () => {
    const other = join(box.home, "other-home");
    expect(box.run(["resume", "w-1"], { env: { HOME: other } }).status).toBe(4);
    expect(box.run(["resume", "w-1"], { env: { HOME: other, XDG_STATE_HOME: "relative" } }).status).toBe(4);
  });

  it("shows the commands of an imported run, also in a store that was made here", () => {
    box.run(["export", "--history", "--trail", "run/w-1", "--output", "../w.cairn"]);
    const cwd = join(box.home, "second");
    box.write("../second/x", "");
    box.run(["now"], { cwd });
    expect(box.run(["import", "../w.cairn"], { cwd }).status).toBe(0);
    const { status, stderr } = box.run(["resume", "w-1"], { cwd });
    expect(status).toBe(4);
    expect(stderr).toContain("build: touch 'it was run'");
    // A yes to these commands is none to those of a file that came along.
    box.write("../second/w.yaml", WORKFLOW.replace('[touch, "it was run"]', "touch evil"));
    expect(
      box.run(["resume", "w-1", "--trust", "--jobs", "1"], { cwd, env: { PATH: "/nowhere" } }).status,
    ).toBe(1);
    expect(box.run(["resume", "w-1"], { cwd }).status).toBe(4);
    expect(existsSync(join(cwd, "evil"))).toBe(false);
  });

  it("asks for an imported run whatever it calls itself", () => {
    const library = new URL("../../dist/doors/library/workflow/index.js", import.meta.url).href;
    box.write(
      "flow.ts",
      `import { defineWorkflow } from "${library}";
import { writeFileSync } from "node:fs";
writeFileSync("it was loaded", "");
export const workflow = defineWorkflow({ name: "flow", steps: [{ id: "ok", approve: "Is it?" }] });
`,
    );
    box.run(["run", "flow.ts", "--run-id", "flow-1"]);
    box.run(["export", "--trail", "run/flow-1", "--history", "--output", "flow.trail"]);
    const other = new Sandbox();
    try {
      for (const file of ["flow.ts", "flow.trail"]) cpSync(join(box.folder, file), join(other.folder, file));
      other.run(["now"]);
      other.run(["import", "flow.trail", "--as", "run/renamed"]);
      expect(other.run(["resume", "renamed"])).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('Run "renamed" came from elsewhere'),
      });
      expect(existsSync(join(other.folder, "it was loaded"))).toBe(false);
      expect(other.run(["resume", "renamed", "--trust"]).stderr).toContain("renamed");
    } finally {
      other.remove();
    }
  });

  it("lists what was imported as a run but is none, and puts it aside", () => {
    box.run(["goal", "Ship it"]);
    box.run(["export", "--trail", "main", "--history", "--output", "main.trail"]);
    box.run(["import", "main.trail", "--as", "run/none"]);
    const runs = () => (box.json("runs")["runs"] as { id: string; status: string }[]).map(({ id }) => id);
    expect(runs()).toEqual(["none", "w-1"]);
    expect(box.run(["status"]).status).toBe(0);
    expect(box.run(["resume", "none"])).toMatchObject({
      status: 5,
      stderr: expect.stringContaining("It is not the state of a run."),
    });
    expect(box.run(["archive", "none"]).status).toBe(0);
    expect(runs()).toEqual(["w-1"]);
  });

  it("asks for an imported run whatever files the repository brings, and after a prune too", () => {
    box.run(["export", "--history", "--trail", "run/w-1", "--output", "../w.cairn"]);
    const cwd = join(box.home, "second");
    // The folder that a run of this project would have.
    box.write("../second/.cairn/runs/w-1/x", "");
    expect(box.run(["now"], { cwd }).status).toBe(0);
    expect(box.run(["import", "../w.cairn"], { cwd }).status).toBe(0);
    expect(box.run(["resume", "w-1"], { cwd }).status).toBe(4);
    // A commit of one's own on top, and nothing left of what was imported.
    expect(box.run(["cancel", "w-1"], { cwd }).status).toBe(0);
    expect(box.run(["prune", "--trail", "run/w-1", "--keep", "1"], { cwd }).status).toBe(0);
    expect(box.run(["log", "--trail", "run/w-1", "--json"], { cwd }).stdout).not.toContain('"import"');
    expect(box.run(["resume", "w-1", "--resume-step", "0"], { cwd }).stderr).toContain("came from elsewhere");
    expect(existsSync(join(cwd, "it was run"))).toBe(false);
  });

  it("starts what the user names, in any store, and resumes that without a word", () => {
    const cwd = clone();
    rmSync(join(cwd, "w.yaml"));
    box.write("../clone/mine.yaml", "name: mine\nsteps:\n  - id: ask\n    approve: Go?\n");
    expect(box.run(["run", "mine.yaml", "--run-id", "m-1"], { cwd }).status).toBe(4);
    box.run(["approve", "m-1"], { cwd });
    expect(box.run(["resume", "m-1"], { cwd }).status).toBe(0);
    expect(box.run(["resume", "w-1"], { cwd }).status).toBe(4);
  });

  const isRoot = process.geteuid?.() === 0;
  if (!isRoot) console.warn("SKIPPED: a store of another user, because only root can make one.");
  it.skipIf(!isRoot)("refuses a store that belongs to another user", () => {
    chownSync(join(box.folder, ".cairn"), 12_345, 12_345);
    expect(box.see("resume", "w-1")).toMatchInlineSnapshot(`
      "! error: "PROJECT/.cairn" belongs to another user, who could change what runs.
      ! hint: Work in a copy of the project that is your own.
      [exit 4]"
    `);
  });
});
