import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const BUILD = `name: build
inputs:
  feature: { required: true }
steps:
  - id: research
    run: mkdir -p out && echo "$INPUT_FEATURE" > out/research.md && echo research >> count.txt
    outputs: [out/research.md]
  - id: ship
    approve: Ship it?
  - id: build
    run: [cp, out/research.md, out/build.md]
    outputs: [out/build.md]
`;

const FAILING = `name: failing
steps:
  - id: first
    run: echo first >> count.txt
  - id: second
    run: test -f repaired || { echo "the cause" >&2; exit 3; }
`;

describe("checkpoint run", () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
    box.write("build.yaml", BUILD);
    box.write("failing.yaml", FAILING);
  });
  afterEach(() => box.remove());
  const started = (...more: string[]) =>
    box.see("run", "build.yaml", "--run-id", "b-1", "--input", "feature=login", ...more);

  it("runs a workflow that is a module, even one that awaits while it is loaded", () => {
    const library = new URL("../../dist/doors/library/workflow/index.js", import.meta.url).href;
    box.write(
      "flow.ts",
      `import { defineWorkflow } from "${library}";
const id: string = await Promise.resolve("one");
export const workflow = defineWorkflow({ name: "flow", steps: [{ id, run: "echo ran > ran.txt" }] });
`,
    );
    expect(box.run(["run", "flow.ts"])).toMatchObject({ status: 0 });
    expect(readFileSync(join(box.folder, "ran.txt"), "utf8")).toBe("ran\n");
  });

  it("runs until a person has to decide, and says how to go on", () => {
    expect(started()).toMatchInlineSnapshot(`
      "b-1  awaiting approval  1 of 3 steps
      [?] ship  Ship it?
          to review: out/research.md

      To continue
        checkpoint approve b-1              # yes
        checkpoint reject b-1 --reason "…"  # no
        checkpoint resume b-1               # then continue
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! b-1 starts: 3 steps
      ! [>] research
      ! [x] research  0 ms  out/research.md
      ! [?] ship  Ship it?
      [exit 4]"
    `);
  });

  it.each([
    [".cairn", "store.sqlite"],
    [".cairn/store.sqlite-wal", "store.sqlite-wal"],
  ])("calls nothing done any more once a step has deleted %s", (deleted, lost) => {
    box.write(
      "clean.yaml",
      `name: clean\nsteps:\n  - { id: clean, run: [rm, -r, ${deleted}] }\n  - { id: after, run: [touch, after] }\n`,
    );
    const { status, stderr } = box.run(["run", "clean.yaml"]);
    expect(status).toBe(1);
    expect(box.stable(stderr)).toContain(
      `error: The result of "clean" could not be saved: "PROJECT/.cairn/${lost}" was deleted, moved, replaced or truncated`,
    );
    expect(existsSync(join(box.folder, "after"))).toBe(false);
  });

  it("is handed over with the command that goes on with it, until it is over", () => {
    started();
    const lastLine = () => box.run(["summary", "--trail", "run/b-1"]).stdout.trimEnd().split("\n").at(-1);
    expect(lastLine()).toBe("Resume: `checkpoint resume b-1`");
    box.run(["cancel", "b-1"]);
    expect(lastLine()).toBe("Resume: `checkpoint status --trail run/b-1`");
  });

  it("goes on once it is approved, and does nothing twice", () => {
    started();
    expect(box.see("approve", "b-1", "--by", "Ada", "--reason", "good")).toMatchInlineSnapshot(`
      "ship  approved  by Ada (as given)
      ! To continue: checkpoint resume b-1"
    `);
    expect(box.see("resume", "b-1")).toMatchInlineSnapshot(`
      "b-1  completed  3 of 3 steps

      To see more
        checkpoint artifacts b-1            # what it produced
        checkpoint summary --trail run/b-1  # a briefing on it
      ! b-1 resumes: 2 of 3 steps done
      !     done: research, ship
      !     next: build
      !     last activity: 1 min ago
      ! [>] build
      ! [x] build  0 ms  out/build.md"
    `);
    expect(readFileSync(join(box.folder, "count.txt"), "utf8")).toBe("research\n");
    expect(box.see("resume", "b-1")).toMatchInlineSnapshot(`
      "b-1  completed  3 of 3 steps

      To see more
        checkpoint artifacts b-1            # what it produced
        checkpoint summary --trail run/b-1  # a briefing on it
      ! Run "b-1" was completed already."
    `);
  });

  it("takes no decision of an agent, nor one from the shell of its client", () => {
    started();
    for (const [env, words] of [
      [{ CHECKPOINT_AGENT: "planner" }, "planner may not answer: a person answers it."],
      [{ CLAUDECODE: "1" }, "a person answers it, and from the shell of Claude Code that needs a terminal."],
      [{ CODEX_THREAD_ID: "t" }, "from the shell of Codex that needs a terminal."],
    ] as const)
      for (const verb of ["approve", "reject"])
        expect(box.run([verb, "b-1"], { env })).toMatchObject({
          status: 4,
          stderr: expect.stringContaining(words),
        });
    expect(box.run(["approve", "b-1"]).status).toBe(0);
  });

  it("asks neither a git of the repository nor its config who decides", () => {
    spawnSync("git", ["init", "--quiet"], { cwd: box.folder });
    spawnSync("git", ["config", "user.name", "The boss"], { cwd: box.folder });
    box.write("git", "#!/bin/sh\ntouch planted\necho The boss\n");
    chmodSync(join(box.folder, "git"), 0o755);
    started();
    const env = { PATH: `${delimiter}${process.env["PATH"]}` };
    const { stdout } = box.run(["approve", "b-1", "--json"], { env });
    expect(JSON.parse(stdout)).toMatchObject({ decision: { by: userInfo().username, identity: "user" } });
    expect(existsSync(join(box.folder, "planted"))).toBe(false);
  });

  it("fails a step that is rejected, and asks again when somebody resumes", () => {
    started();
    expect(box.see("reject", "b-1", "ship", "--by", "Ada", "--reason", "No tests")).toMatchInlineSnapshot(`
      "ship  rejected  by Ada (as given)
      ! To be asked again: checkpoint resume b-1. To end it for good: checkpoint cancel b-1"
    `);
    expect(box.see("approve", "b-1")).toMatchInlineSnapshot(`
      "! error: All questions of run "b-1" have been decided.
      ! hint: checkpoint resume b-1
      [exit 6]"
    `);
    expect(box.run(["resume", "b-1"]).status).toBe(4);
  });

  it("says what failed, where its output is, and goes on after a repair", () => {
    expect(box.see("run", "failing.yaml", "--run-id", "f-1")).toMatchInlineSnapshot(`
      "f-1  failed  1 of 2 steps
      [!] second  It ended with status 3.
          the cause
          full output: .cairn/runs/f-1/steps/second@1/

      To continue
        checkpoint resume f-1     # once the cause is fixed; what is done stays done
        checkpoint runs show f-1  # where it stands
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! f-1 starts: 2 steps
      ! [>] first
      ! [x] first  0 ms
      ! [>] second
      ! [!] second  It ended with status 3.
      !     the cause
      [exit 1]"
    `);
    expect(box.see("status").replace(/ckpt-\S+/, "CKPT")).toMatchInlineSnapshot(`
      "CKPT  run/f-1, 1 min ago, error
      failing 1/2; failed: second; Step "second" failed: It ended with status 3; fix the cause, then checkpoint resume f-1

      Goal       Finish the workflow "failing"
      Runs       run/f-1  failed  1 of 2 steps
      Next       Fix what went wrong (Step "second" failed: It ended with status 3.), then checkpoint resume f-1 (1 of 2 steps done, 50 %).

      To continue
        checkpoint resume f-1               # failed, next second
        checkpoint summary --trail run/f-1  # a briefing for the next agent
      ! Trail main is empty; showing run/f-1, the most recently changed."
    `);
    box.write("repaired", "");
    expect(box.see("resume", "--yes")).toMatchInlineSnapshot(`
      "f-1  completed  2 of 2 steps

      To see more
        checkpoint runs show f-1            # what it did
        checkpoint summary --trail run/f-1  # a briefing on it
      ! f-1 resumes: 1 of 2 steps done
      !     done: first
      !     next: second
      !     last activity: 2 min ago
      ! [>] second  attempt 2
      ! [x] second  0 ms"
    `);
    expect(readFileSync(join(box.folder, "count.txt"), "utf8")).toBe("first\n");
  });

  it("asks which way to go when a run is unfinished, and takes no way by itself", () => {
    started();
    const again = ["run", "build.yaml", "--input", "feature=login"];
    expect(box.see(...again)).toMatchInlineSnapshot(`
      "! error: Run "b-1" of this workflow is unfinished: awaiting approval, 1 of 3 steps done, next ship.
      ! hint: To continue it: checkpoint resume b-1
      ! To archive it and start a new one: checkpoint run build.yaml --input feature=login --fresh
      [exit 6]"
    `);
    expect(box.see(...again, "--dry-run")).toMatchInlineSnapshot(`
      "b-1  1 of 3 steps done (33 %)
      [x] research  done
      [?] ship      waits for a decision  asks: Ship it?
      [ ] build     after ship            cp out/research.md out/build.md

      It can resume."
    `);
    expect(box.see(...again, "--yes")).toMatchInlineSnapshot(`
      "b-1  awaiting approval  1 of 3 steps
      [?] ship  Ship it?
          to review: out/research.md

      To continue
        checkpoint approve b-1              # yes
        checkpoint reject b-1 --reason "…"  # no
        checkpoint resume b-1               # then continue
      ! b-1 resumes: 1 of 3 steps done
      !     done: research
      !     next: ship
      !     last activity: 3 min ago
      [exit 4]"
    `);
    expect(box.see("run", "build.yaml", "--input", "feature=other", "--yes")).toMatchInlineSnapshot(`
      "! error: Run "b-1" was started with feature=login.
      ! hint: To continue it: checkpoint resume b-1
      ! To archive it and start a new one: checkpoint run build.yaml --input feature=other --fresh
      [exit 6]"
    `);
    const fresh = box.run([...again, "--fresh"]);
    expect(fresh.status).toBe(4);
    expect(fresh.stderr).toMatch(/^Archived b-1 as b-1_\d{8}-\d{6}\.$/m);
    expect(readdirSync(join(box.folder, ".cairn/runs"))).toHaveLength(2);
  });

  it("starts another beside an unfinished one, under a name of its own", () => {
    started();
    const { status } = box.run(["run", "build.yaml", "--run-id", "b-2", "--input", "feature=x"]);
    expect(status).toBe(4);
    expect(box.see("resume")).toMatchInlineSnapshot(`
      "! error: 2 things are unfinished:
      ! 1  run b-2  awaiting approval
      !    33 %, 1 of 3 steps, 1 min ago
      !    asking: ship
      !    checkpoint approve b-2
      ! 2  run b-1  awaiting approval
      !    33 %, 1 of 3 steps, 2 min ago
      !    asking: ship
      !    checkpoint approve b-1
      ! hint: Say which one, with its command.
      [exit 6]"
    `);
  });

  it("forks to go on after a step, and leaves the old line as it is", () => {
    started();
    box.run(["approve", "b-1"]);
    box.run(["resume", "b-1"]);
    expect(box.see("resume", "b-1", "--resume-step", "1")).toMatchInlineSnapshot(`
      "b-1~2  awaiting approval  1 of 3 steps
      [?] ship  Ship it?
          to review: out/research.md
      Left over from the run it was forked from: out/build.md

      To continue
        checkpoint approve b-1~2              # yes
        checkpoint reject b-1~2 --reason "…"  # no
        checkpoint resume b-1~2               # then continue
      ! This is a new run, b-1~2, forked from b-1: what that one did stays on record, so it is not changed.
      ! b-1~2 resumes: 1 of 3 steps done
      !     done: research
      !     next: ship
      !     last activity: just now
      ! [?] ship  Ship it?
      [exit 4]"
    `);
    expect(box.see("resume", "b-1", "--redo", "research", "--dry-run")).toMatchInlineSnapshot(`
      "This would be a new run, forked from b-1: what that one did stays on record, so it is not changed.
      0 of 3 steps done (0 %)
      [>] research  its needs are met  mkdir -p out && echo "$INPUT_FEATURE" > out/research.md && echo research >> count.txt
      [?] ship      after research     asks: Ship it?
      [ ] build     after ship         cp out/research.md out/build.md
      Left over from the run it was forked from: out/research.md, out/build.md

      It can resume."
    `);
    expect(box.see("resume", "b-1", "--resume-step", "shp")).toMatchInlineSnapshot(`
      "! error: Run "b-1" has no step "shp".
      ! hint: Did you mean "ship"?
      [exit 3]"
    `);
    expect(box.see("resume", "b-1", "--resume-step", "1", "--redo", "2")).toMatchInlineSnapshot(`
      "! error: --resume-step and --redo cannot be combined.
      ! hint: --resume-step continues after a step, --redo repeats the step itself.
      [exit 2]"
    `);
  });

  it("goes on from any checkpoint of a run", () => {
    started();
    const [head] = box.json("list", "--trail", "run/b-1")["checkpoints"] as { checkpoint_id: string }[];
    const { stdout, status } = box.run(["resume", "--from", head!.checkpoint_id]);
    expect({ status, first: stdout.split("\n")[0] }).toEqual({
      status: 4,
      first: "b-1~2  awaiting approval  1 of 3 steps",
    });
  });

  it("says what it would do, and does nothing", () => {
    expect(box.see("run", "build.yaml", "--input", "feature=x", "--dry-run")).toMatchInlineSnapshot(`
      "A new run of build would do 3 steps:
      [>] research  at once         mkdir -p out && echo "$INPUT_FEATURE" > out/research.md && echo research >> count.txt
      [?] ship      after research  asks: Ship it?
      [ ] build     after ship      cp out/research.md out/build.md"
    `);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("refuses a changed artifact with the ways out, and takes it when a person vouches for it", () => {
    box.run(["run", "failing.yaml", "--run-id", "f-1"]);
    started();
    box.run(["approve", "b-1"]);
    box.write("build.yaml", BUILD.replace("[cp, out/research.md, out/build.md]", "[sh, -c, exit 1]"));
    box.run(["resume", "b-1"]);
    box.write("out/research.md", "changed");
    box.write("build.yaml", BUILD);
    expect(box.see("resume", "b-1")).toMatchInlineSnapshot(`
      "! warning: The workflow was edited since (changed: build).
      !   What is not done is done as the file says now: checkpoint resume b-1 --dry-run
      ! error: Run "b-1" cannot simply be resumed:
      ! "out/research.md", made by step "research", has changed since.
      ! hint: Bring it back, take it as it is (--accept-changes), or make it again: checkpoint resume b-1 --redo research
      [exit 6]"
    `);
    const { status } = box.run(["resume", "b-1", "--accept-changes"]);
    expect(status).toBe(4);
  });

  it.each([
    [["run"]],
    [["run", "nope.yaml"]],
    [["run", "build.yaml"]],
    [["run", "build.yaml", "--input", "feature"]],
    [["run", "build.yaml", "--input", "featur=x"]],
    [["run", "build.yaml", "--template", "eight-agents"]],
    [["run", "--template", "eight-agent"]],
    [["run", "build.yaml", "--jobs", "0"]],
    [["run", "build.yaml", "--input", "feature=x", "--resume"]],
    [["run", "build.yaml", "--resume", "--fresh"]],
    [["run", "build.yaml", "--input", "feature=x", "--run-id", "../x"]],
    [["resume"]],
    [["resume", "nope"]],
    [["resume", "--redo", "x"]],
    [["approve", "nope"]],
    [["cancel"]],
  ])("%j makes nothing, and says what to do", (args) => {
    expect(box.see(...args)).toMatchSnapshot();
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("cancels for good", () => {
    started();
    expect(box.see("cancel", "b-1", "--reason", "not needed")).toMatchInlineSnapshot(
      `"b-1  cancelled  1 of 3 steps"`,
    );
    expect(box.see("cancel", "b-1")).toMatchInlineSnapshot(`
      "b-1  cancelled  1 of 3 steps
      ! It was already cancelled; nothing was changed."
    `);
    expect(box.see("resume", "b-1")).toMatchInlineSnapshot(`
      "! error: Run "b-1" is cancelled: it cannot be resumed.
      ! hint: To look at it: checkpoint runs show b-1
      ! Start a new one of "build", or fork this one: checkpoint resume b-1 --resume-step 0
      [exit 6]"
    `);
  });

  it.each(["approve", "reject", "cancel"])("keeps no secret that is in the reason to %s", (word) => {
    started();
    const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const { stderr, status } = box.run([word, "b-1", "--reason", `Works with ${token} only`]);
    expect({ stderr, status }).toMatchObject({ stderr: expect.stringContaining("One secret was left out") });
    const kept = box.run(["load", "--trail", "run/b-1", "--json"]).stdout;
    expect(kept).toContain("Works with");
    expect(kept).not.toContain(token);
  });

  it("streams events as JSON, one a line, the result last", () => {
    const line = "run build.yaml --run-id b-1 --input feature=x --json";
    const { stdout, stderr, status } = box.run(line.split(" "));
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as { schema: string; type?: string });
    expect({ stderr, status }).toEqual({ stderr: "", status: 4 });
    expect(lines.map(({ schema, type }) => [schema, type])).toEqual([
      ["cairn/run-event@1", "run-started"],
      ["cairn/run-event@1", "step-started"],
      ["cairn/run-event@1", "step-completed"],
      ["cairn/run-event@1", "approval-asked"],
      ["cairn/run-event@1", "run-ended"],
      ["cairn/run@1", undefined],
    ]);
    expect(lines.at(-1)).toMatchObject({
      run: { run_id: "b-1", status: "awaiting_approval", exit_status: 4, completed: 1, total: 3 },
      plan: null,
    });
  });

  it("takes secrets from the environment, and keeps them nowhere", () => {
    box.write(
      "secret.yaml",
      'name: s\ninputs: { api-key: { secret: true, required: true } }\nsteps:\n  - id: a\n    run: test "$INPUT_API_KEY" = canary-4711 || exit 1\n  - id: ok\n    approve: ok?\n',
    );
    expect(box.see("run", "secret.yaml")).toMatchInlineSnapshot(`
      "! error: The secret "api-key" is needed; it is never stored.
      ! hint: Set $INPUT_API_KEY, or run it in a terminal to be asked.
      [exit 2]"
    `);
    const env = { INPUT_API_KEY: "canary-4711" };
    expect(box.run(["run", "secret.yaml", "--run-id", "s-1"], { env }).status).toBe(4);
    box.run(["approve", "s-1"]);
    expect(box.see("resume", "s-1")).toMatchInlineSnapshot(`
      "! error: The secret "api-key" is needed; it is never stored.
      ! hint: Set $INPUT_API_KEY, or run it in a terminal to be asked.
      [exit 2]"
    `);
    expect(box.run(["resume", "s-1"], { env }).status).toBe(0);
    const typed = box.run(["run", "secret.yaml", "--run-id", "s-2", "--input", "api-key=canary-4711"]);
    expect(typed.stderr).toMatch(/^warning: A secret in a command line can be read by others/);
    const kept = readdirSync(box.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "secret.yaml")
      .filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes("canary-4711"));
    expect(kept).toEqual([]);
  });

  it("names line, column and remedy of every mistake in a definition", () => {
    box.write(
      "wrong.yaml",
      "name: wrong\nsteps:\n  - id: a\n    rn: x\n  - id: b\n    run: y\n    needs: [c]\n",
    );
    expect(box.see("run", "wrong.yaml")).toMatchInlineSnapshot(`
      "! error: wrong.yaml:3:5: "a" does nothing.
      !   Give it one of run, approve, review, wait or workflow
      ! wrong.yaml:4:5: There is no field "rn" here.
      !   Did you mean "run"?
      ! wrong.yaml:7:5: Step "b" needs "c", which is not a step.
      !   Did you mean "a"?
      [exit 2]"
    `);
  });

  it("is quiet when it is asked to be", () => {
    box.write("repaired", "");
    expect(box.see("run", "failing.yaml", "--run-id", "f-1", "--quiet")).toMatchInlineSnapshot(`
      "f-1  completed  2 of 2 steps

      To see more
        checkpoint runs show f-1            # what it did
        checkpoint summary --trail run/f-1  # a briefing on it"
    `);
  });
});
