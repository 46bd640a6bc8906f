import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { WorkflowSource } from "../../src/capabilities/workflow/definition/types.ts";
import { killIn, makeRun } from "./support/runs.ts";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

const BUILD: WorkflowSource = {
  name: "build",
  inputs: { feature: { default: "login" }, token: { secret: true } },
  steps: [
    {
      id: "research",
      agent: "researcher",
      run: "mkdir -p out; echo one > out/research.md",
      outputs: ["out/research.md"],
    },
    {
      id: "plan",
      run: ["sh", "-c", "echo two > out/plan.md"],
      verify: "test -s out/plan.md",
      outputs: ["out/plan.md"],
    },
    { id: "ship", approve: { question: "Ship this plan?", options: ["beta", "stable now"] } },
    {
      id: "council",
      needs: ["plan"],
      review: { reviewers: ["security", "product"], quorum: 1, run: REVIEW() },
    },
    { id: "deploy", needs: ["ship", "council"], run: "true" },
  ],
};
const SECRET = { inputs: { token: "s3cr3t-value-of-mine" } };

function REVIEW(): string {
  return `test "$CAIRN_REVIEWER" = product && echo '{"verdict":"reject","reason":"too early"}' > "$CAIRN_RESULT"; true`;
}

const BROKEN: WorkflowSource = {
  name: "broken",
  steps: [
    { id: "compile", run: "echo no such file >&2; exit 3" },
    { id: "test", run: "true" },
  ],
};

describe("checkpoint runs", () => {
  it("lists each run with how far it is and what comes next, and names the next command", async () => {
    await makeRun(box, { name: "done", steps: [{ id: "only", run: "true" }] }, { runId: "done-1" });
    await makeRun(box, BROKEN, { runId: "broken-1", now: "2026-01-20T12:00:00.000Z" });
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    expect(box.see("runs")).toMatchInlineSnapshot(`
      "login-1   awaiting approval  4 of 6  just now    waiting for a person: ship
      broken-1  failed             0 of 2  3 days ago  Step "compile" failed: It ended with status 3.
      done-1    completed          1 of 1  just now
      ! To continue: checkpoint approve login-1"
    `);
    expect(box.json("runs")).toMatchObject({
      schema: "cairn/runs@1",
      archived: false,
      runs: [
        { id: "login-1", status: "awaiting_approval", completed: 4, total: 6, can_resume: true },
        { id: "broken-1", status: "failed", completed: 0, total: 2, next: ["compile"] },
        { id: "done-1", status: "completed", percent: 100, can_resume: false },
      ],
    });
  });

  it("says so when there are none, and makes no store", () => {
    expect(box.see("runs")).toMatchInlineSnapshot(
      `"! No runs yet. To try one: checkpoint run --template eight-agents"`,
    );
    expect(box.see("runs", "--archived")).toMatchInlineSnapshot(
      `"! No archived runs: checkpoint archive RUN archives one; completed ones are archived by themselves."`,
    );
    expect(box.see("runs", "login-1")).toMatchInlineSnapshot(`
      "! error: checkpoint runs takes no arguments, but got "login-1".
      ! hint: checkpoint runs show login-1
      [exit 2]"
    `);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("lists a damaged run beside the others", async () => {
    await makeRun(box, BROKEN, { runId: "broken-1" });
    damage();
    await makeRun(box, { name: "fine", steps: [{ id: "a", run: "true" }] }, { runId: "fine-1" });
    expect(box.see("runs").replaceAll(/[0-9a-f]{64}/g, "HASH")).toMatchInlineSnapshot(`
      "fine-1    completed  1 of 1  just now
      broken-1  corrupt                      The state of run "broken-1" is damaged: Object HASH is damaged: its content does not match its name."
    `);
    expect(box.run(["runs", "show", "broken-1"]).status).toBe(5);
    expect(box.see("resume")).toMatchInlineSnapshot(`
      "! warning: The state of run "broken-1" is damaged.
      !   To continue from an intact checkpoint, in a new run: checkpoint list --trail run/broken-1, then checkpoint resume broken-1 --from ID
      !   To put it aside: checkpoint archive broken-1
      !   To start afresh: checkpoint run FILE
      ! Nothing is unfinished."
    `);
    expect(box.see("archive", "broken-1")).toMatchInlineSnapshot(`
      "Archived broken-1 as broken-1_20260123-120300.
      ! warning: Its state is damaged: it was archived untouched, and will never be removed automatically.
      ! To start afresh: checkpoint run FILE"
    `);
    expect(box.see("clean", "--max-age-days", "0")).toMatchInlineSnapshot(`
      "=  fine-1    stays: it is completed
      =  broken-1  stays: its state is damaged, and evidence is never removed
      0 runs archived, 2 kept."
    `);
  });
});

describe("checkpoint runs show", () => {
  it("shows a run that waits for a decision", async () => {
    await makeRun(box, BUILD, { runId: "login-1", request: "Add a login page", ...SECRET });
    expect(box.see("runs", "show", "login-1")).toMatchInlineSnapshot(`
      "login-1  awaiting approval  [#############-------] 4 of 6 steps, 66 %  moved just now

      Request    Add a login page
      Workflow   build
      Started    just now
      Inputs     feature: login
                 token: (secret, asked for at every resume)

      Steps
        [x] research @researcher        0 ms
        [x] plan                        0 ms
        [?] ship                        Ship this plan?
        [x] council/security @security  0 ms
        [x] council/product @product    0 ms
        [x] council                     1 of 2 approved, against: product (too early)
        [ ] deploy                      after ship

      Files
        out/research.md  4 B  by research
        out/plan.md      4 B  by plan

      To continue
        checkpoint approve login-1 --choose beta  # yes
        checkpoint reject login-1 --reason "…"    # no
        checkpoint resume login-1                 # then continue"
    `);
  });

  it("prints the whole commands on demand, to be read before they are trusted", async () => {
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    expect(box.see("runs", "show", "login-1", "--commands")).toMatchInlineSnapshot(`
      "login-1  awaiting approval  [#############-------] 4 of 6 steps, 66 %  moved just now

      Workflow   build
      Started    just now
      Inputs     feature: login
                 token: (secret, asked for at every resume)

      Steps
        [x] research @researcher        0 ms
            run     mkdir -p out; echo one > out/research.md
        [x] plan                        0 ms
            run     sh '-c' 'echo two > out/plan.md'
            verify  test -s out/plan.md
        [?] ship                        Ship this plan?
        [x] council/security @security  0 ms
            env     CAIRN_REVIEWER=security
            run     test "$CAIRN_REVIEWER" = product && echo '{"verdict":"reject","reason":"too early"}' > "$CAIRN_RESULT"; true
        [x] council/product @product    0 ms
            env     CAIRN_REVIEWER=product
            run     test "$CAIRN_REVIEWER" = product && echo '{"verdict":"reject","reason":"too early"}' > "$CAIRN_RESULT"; true
        [x] council                     1 of 2 approved, against: product (too early)
        [ ] deploy                      after ship
            run     true

      Files
        out/research.md  4 B  by research
        out/plan.md      4 B  by plan

      To continue
        checkpoint approve login-1 --choose beta  # yes
        checkpoint reject login-1 --reason "…"    # no
        checkpoint resume login-1                 # then continue"
    `);
  });

  it("shows why a run failed, where its output is, and how to go on", async () => {
    await makeRun(box, BROKEN, { runId: "broken-1" });
    expect(box.see("runs", "show", "broken-1")).toMatchInlineSnapshot(`
      "broken-1  failed  [--------------------] 0 of 2 steps, 0 %  moved just now

      Workflow   broken
      Started    just now
      Why        Step "compile" failed: It ended with status 3.
                 no such file
      Printed    .cairn/runs/broken-1/steps/compile@1

      Steps
        [!] compile  It ended with status 3.
        [ ] test     after compile

      To continue
        checkpoint resume broken-1  # once the cause is fixed; what is done stays done"
    `);
  });

  it("shows a run whose runner died, and what stands in the way", async () => {
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    await killIn(box, "login-1", "council/product");
    rmSync(join(box.folder, "out/research.md"));
    expect(box.see("runs", "show", "login-1")).toMatchInlineSnapshot(`
      "login-1  interrupted  [##########----------] 3 of 6 steps, 50 %  moved just now

      Workflow   build
      Started    just now
      Inputs     feature: login
                 token: (secret, asked for at every resume)

      Steps
        [x] research @researcher        0 ms
        [x] plan                        0 ms
        [?] ship                        Ship this plan?
        [x] council/security @security  0 ms
        [>] council/product @product    was running when its runner died, attempt 2, 1 crash
        [x] council                     1 of 2 approved, against: product (too early)
        [ ] deploy                      after ship

      Files
        out/research.md  4 B  by research
        out/plan.md      4 B  by plan

      Before it can resume
        must be fixed: "out/research.md", made by step "research", is missing.
          Bring it back, or make it again: checkpoint resume login-1 --redo research
        must be fixed: Step "council" is done, but "council/product" is not, which it waits for.
          checkpoint resume login-1 --redo council/product"
    `);
  });

  it("folds a long run around where it stands", async () => {
    const steps = Array.from({ length: 100 }, (_, n) => ({ id: `s${n}`, run: () => null }));
    await makeRun(
      box,
      { name: "long", steps: [...steps, { id: "ask", approve: "Go on?" }, { id: "last", run: "true" }] },
      { runId: "long-1" },
    );
    const { stdout } = box.run(["runs", "show", "long-1"]);
    expect(stdout.split("\n").filter((line) => /^ {2}\[/.test(line))).toHaveLength(22);
    expect(stdout).toContain("[?] ask");
    expect(stdout).toContain("+ 80 more steps: --all");
    expect(box.run(["runs", "show", "long-1", "--all"]).stdout).toContain("[x] s0 ");
  });

  it("names the run that was probably meant", async () => {
    await makeRun(box, BROKEN, { runId: "broken-1" });
    expect(box.see("runs", "show", "brokn-1")).toMatchInlineSnapshot(`
      "! error: There is no run "brokn-1".
      ! Did you mean broken-1?
      ! hint: checkpoint runs
      [exit 3]"
    `);
    expect(box.see("runs", "show")).toMatchInlineSnapshot(`
      "! error: checkpoint runs show needs RUN: a run's name, or its beginning.
      ! hint: checkpoint runs show --help
      [exit 2]"
    `);
  });

  it("has everything in JSON, and no secret in it", async () => {
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    const { stdout } = box.run(["runs", "show", "login-1", "--json"]);
    expect(stdout).not.toContain("s3cr3t");
    expect(JSON.parse(stdout)).toMatchObject({
      run: {
        id: "login-1",
        secret_inputs: ["token"],
        inputs: { feature: "login" },
        runner: { pid: 4711, host: "desk" },
      },
      steps: [
        { id: "research", status: "completed", attempt: 1, agent: "researcher" },
        { id: "plan", status: "completed", command: ["sh", "-c", "echo two > out/plan.md"] },
        { id: "ship", status: "awaiting_approval", options: ["beta", "stable now"] },
        { id: "council/security", status: "completed" },
        { id: "council/product", status: "completed", result: { verdict: "reject" } },
        {
          id: "council",
          kind: "join",
          result: { approved: ["security"], dissent: [{ reviewer: "product" }] },
        },
        { id: "deploy", status: "pending" },
      ],
      artifacts: [{ path: "out/research.md", step: "research" }, { path: "out/plan.md" }],
      resume_check: { verdict: "resume" },
    });
  });

  it("lets nothing that a run recorded control the terminal", async () => {
    const evil = "\u{1b}[2J\u{202e}gone";
    await makeRun(
      box,
      { name: "evil", steps: [{ id: "a", approve: evil, about: evil }] },
      { runId: "evil-1", request: evil },
    );
    const { stdout } = box.run(["runs", "show", "evil-1"]);
    expect(stdout).toContain("gone");
    expect(stdout).not.toContain("\u{1b}");
    expect(stdout).not.toContain("\u{202e}");
  });
});

describe("checkpoint artifacts", () => {
  it("names what is missing or changed, with the step that made it and the command that makes it again", async () => {
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    expect(box.see("artifacts", "login-1")).toMatchInlineSnapshot(`
      "out/research.md  4 B  by research
      out/plan.md      4 B  by plan"
    `);
    expect(box.see("artifacts", "login-1", "--verify")).toMatchInlineSnapshot(`
      "intact  out/research.md  4 B  by research
      intact  out/plan.md      4 B  by plan
      2 files intact, 0 not."
    `);
    rmSync(join(box.folder, "out/research.md"));
    writeFileSync(join(box.folder, "out/plan.md"), "edited");
    expect(box.see("artifacts", "login-1", "--verify")).toMatchInlineSnapshot(`
      "missing  out/research.md  4 B  by research
      changed  out/plan.md      4 B  by plan
      missing: out/research.md, made by step research
        restore it, or make it again: checkpoint resume login-1 --redo research
      changed: out/plan.md, made by step plan
        restore it, or make it again: checkpoint resume login-1 --redo plan
      0 files intact, 2 not.
      [exit 6]"
    `);
    expect(box.json("artifacts", "login-1", "--verify")).toMatchObject({
      ok: false,
      artifacts: [
        { path: "out/research.md", state: "missing", remedy: "checkpoint resume login-1 --redo research" },
        { path: "out/plan.md", state: "changed" },
      ],
    });
    expect(box.see("artifacts", "nope")).toMatchInlineSnapshot(`
      "! error: There is no run "nope".
      ! hint: checkpoint runs
      [exit 3]"
    `);
  });
});

describe("checkpoint archive", () => {
  it("puts a run aside, once", async () => {
    await makeRun(box, BROKEN, { runId: "broken-1" });
    expect(box.see("archive", "broken-1")).toMatchInlineSnapshot(
      `"Archived broken-1 as broken-1_20260123-120000."`,
    );
    expect(box.see("archive", "broken-1")).toMatchInlineSnapshot(
      `"broken-1 is archived already, as broken-1_20260123-120000."`,
    );
    expect(box.see("runs")).toMatchInlineSnapshot(`"! All runs are archived: checkpoint runs --archived"`);
    expect(box.see("runs", "--archived")).toMatchInlineSnapshot(
      `"broken-1  archived  0 of 2  3 min ago  as broken-1_20260123-120000"`,
    );
    expect(box.see("runs", "show", "broken-1")).toMatchInlineSnapshot(`
      "broken-1  archived  [--------------------] 0 of 2 steps, 0 %  moved 4 min ago

      Workflow   broken
      Started    4 min ago
      Archived   as broken-1_20260123-120000
      Why        Step "compile" failed: It ended with status 3.
                 no such file
      Printed    .cairn/runs/broken-1/steps/compile@1

      Steps
        [!] compile  It ended with status 3.
        [ ] test

      To continue
        checkpoint resume broken-1 --resume-step 0  # a new run of broken from the beginning"
    `);
    expect(box.see("archive", "nope")).toMatchInlineSnapshot(`
      "! error: There is no run "nope".
      ! hint: checkpoint runs
      [exit 3]"
    `);
  });
});

describe("checkpoint clean", () => {
  it("removes old failed runs after a yes, and reports what, why and how many bytes", async () => {
    await makeRun(box, BROKEN, { runId: "old-1", now: "2026-01-10T12:00:00.000Z" });
    await makeRun(box, BROKEN, { runId: "new-1" });
    const size = (text: string) => text.replaceAll(/\d+ B|\d+(?:\.\d)? kB/g, "SIZE");
    expect(size(box.see("clean", "--dry-run"))).toMatchInlineSnapshot(`
      "-  old-1  failed, last changed 13 days ago
      =  new-1  stays: it was changed 0 ms ago
      1 run would be archived, 1 kept; SIZE of what was printed would go."
    `);
    expect(size(box.see("clean"))).toMatchInlineSnapshot(`
      "! error: Nothing was changed: this would archive 1 run (old-1) and delete SIZE of what it printed.
      ! hint: To look closer: checkpoint clean --dry-run. To do it: checkpoint clean --yes
      [exit 4]"
    `);
    expect(box.json("runs", "--archived")["runs"]).toEqual([]);
    expect(size(box.see("clean", "--yes"))).toMatchInlineSnapshot(`
      "-  old-1  failed, last changed 13 days ago
      =  new-1  stays: it was changed 3 min ago
      1 run archived, 1 kept; SIZE freed.
      ! The report: PROJECT/.cairn/reports/clean-2026-01-23T12-03-00-000Z.md"
    `);
    const folder = join(box.folder, ".cairn/reports");
    const [report = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, report), "utf8").replaceAll(/\b\d{2,}\b(?= \||\sbytes)/g, "N"))
      .toMatchInlineSnapshot(`
      "# Clean-up of runs, 2026-01-23T12:03:00.000Z

      | run | workflow | why | bytes of its attempts |
      | --- | --- | --- | ---: |
      | old-1 | broken | failed, last changed 13 days ago | N |

      Freed: N bytes.

      ## Kept

      - new-1: it was changed 3 min ago
      "
    `);
    expect(existsSync(join(box.folder, ".cairn/runs/old-1"))).toBe(false);
    expect(box.see("runs", "--archived")).toMatchInlineSnapshot(
      `"old-1  archived  0 of 2  13 days ago  as old-1_20260123-120300"`,
    );
    expect(box.see("clean", "--yes")).toMatchInlineSnapshot(`
      "=  old-1  stays: it is archived
      =  new-1  stays: it was changed 5 min ago
      0 runs archived, 2 kept."
    `);
  });

  it("writes its report where it is told, but over nothing", async () => {
    await makeRun(box, BROKEN, { runId: "old-1", now: "2026-01-10T12:00:00.000Z" });
    box.write("mine.md", "mine");
    expect(box.see("clean", "--yes", "--report", "mine.md")).toMatchInlineSnapshot(`
      "! error: There is already a file "PROJECT/mine.md".
      ! hint: Choose another name after --report.
      [exit 6]"
    `);
    expect(box.json("clean", "--yes", "--report", "reports/r.md")).toMatchObject({
      removed: [{ run: "old-1", reason: "failed, last changed 13 days ago" }],
      report: join(box.folder, "reports/r.md"),
    });
    expect(readFileSync(join(box.folder, "mine.md"), "utf8")).toBe("mine");
  });

  it("never touches a run that runs, and finds one whose runner died", async () => {
    await makeRun(box, BUILD, { runId: "login-1", ...SECRET });
    await killIn(box, "login-1", "plan");
    box.setMinutes(1);
    expect(box.json("clean", "--status", "interrupted", "--max-age-days", "0", "--dry-run")).toMatchObject({
      removed: [{ run: "login-1" }],
    });
    expect(box.see("clean", "--status", "running")).toMatchInlineSnapshot(`
      "! error: --status: "running" is not one of failed, cancelled, paused, interrupted, awaiting_approval, completed.
      ! hint: checkpoint clean --help
      [exit 2]"
    `);
  });

  it("has nothing to do in a new project", () => {
    expect(box.see("clean")).toMatchInlineSnapshot(`"0 runs archived, 0 kept."`);
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });
});

describe("checkpoint progress", () => {
  it("notes what an agent did in a checkpoint and in its file", () => {
    const note = ["progress", "note", "--feature", "login", "--agent", "tester"];
    expect(box.see(...note, "Read the code")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-beb739a1
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Wrote docs/progress/login-tester.md."
    `);
    expect(
      box.see(
        ...note,
        "--phase",
        "testing",
        "--status",
        "blocked",
        "--milestone",
        "review-requested",
        "Waits for review",
      ),
    ).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-97d4b10d
      ! Wrote docs/progress/login-tester.md."
    `);
    expect(readFileSync(join(box.folder, "docs/progress/login-tester.md"), "utf8")).toMatchInlineSnapshot(`
      "---
      feature: "login"
      agent: "tester"
      phase: "testing"
      status: "blocked"
      last_action: "Waits for review"
      updated: "2026-01-23T12:01:00.000Z"
      ---

      ## Progress Notes

      - [12:00] Read the code
      - [12:01] Waits for review (review-requested)
      "
    `);
    expect(box.json("list", "--trail", "progress/login/tester")["checkpoints"]).toMatchObject([
      { trigger: "phase", notes: "review-requested: Waits for review" },
      { trigger: "task", agent_id: "tester" },
    ]);
    expect(box.json(...note, "Done")).toMatchObject({
      file: "docs/progress/login-tester.md",
      progress: { phase: "testing" },
    });
  });

  it("keeps secrets out of checkpoint and file", () => {
    const { stderr } = box.run([
      "progress",
      "note",
      "--feature",
      "f",
      "--agent",
      "a",
      "password=hunter2hunter2",
    ]);
    expect(stderr).toContain("One secret was left out");
    expect(readFileSync(join(box.folder, "docs/progress/f-a.md"), "utf8")).not.toContain("hunter2");
    box.write("docs/progress/f-b.md", file({ agent: "b", last_action: "Set password=hunter2hunter2" }));
    box.run(["progress", "scan"]);
    expect(box.run(["load", "--trail", "progress/f/b", "--json"]).stdout).not.toContain("hunter2");
    expect(box.json("progress", "scan")["files"]).toMatchObject([{ is_new: false }, { is_new: false }]);
  });

  it("shows a progress trail like any other work", () => {
    const note = ["progress", "note", "--feature", "f", "--agent", "a"];
    box.run([...note, "--phase", "design", "Drafted it"]);
    box.run([...note, "--phase", "review", "Sent it"]);
    const shown = (command: string) => box.run([command, "--trail", "progress/f/a"]).stdout;
    expect(shown("diff")).toContain("2, design (in progress) → 3, review (in progress)");
    expect(shown("load")).toMatch(/^Goal +Feature f, by a\nPhase +3, review +in progress$/m);
    expect(shown("summary")).toMatch(/Feature f, by a[^]*Drafted it[^]*Sent it/);
  });

  it("says what is missing or wrong", () => {
    expect(box.see("progress", "note", "x")).toMatchInlineSnapshot(`
      "! error: checkpoint progress note needs --feature: what is worked on.
      ! hint: checkpoint progress note --feature login --agent tester "Wrote the first test"
      [exit 2]"
    `);
    expect(box.see("progress", "note", "x", "--feature", "f")).toMatchInlineSnapshot(`
      "! error: checkpoint progress note needs --agent: who did it.
      ! hint: checkpoint progress note --feature login --agent tester "Wrote the first test"
      [exit 2]"
    `);
    expect(box.see("progress", "note", "x", "--feature", "../f", "--agent", "a")).toMatchInlineSnapshot(`
      "! error: "../f" is not a name for a feature.
      ! hint: Use letters, digits, - and _, as in login-page.
      [exit 2]"
    `);
    expect(box.see("progress", "note", "x", "--feature", "f", "--agent", "a", "--phase", "cooking"))
      .toMatchInlineSnapshot(`
      "! error: --phase: "cooking" is not one of research, design, review, implementation, testing.
      ! hint: checkpoint progress note --help
      [exit 2]"
    `);
    expect(box.see("progress", "note", "  ", "--feature", "f", "--agent", "a")).toMatchInlineSnapshot(`
      "! error: The note is empty.
      ! hint: Say it in a few words, in quotes.
      [exit 2]"
    `);
  });

  it("reads in files written by hand, and reports malformed ones with line and remedy", () => {
    expect(box.see("progress", "scan")).toMatchInlineSnapshot(
      `"! No progress files in docs/progress: checkpoint progress note --feature F --agent A "…" writes one."`,
    );
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
    box.write("docs/progress/f-a.md", file({ agent: "a" }));
    box.write("docs/progress/f-b.md", file({ agent: "b", status: "complete" }));
    box.write("docs/progress/f-c.md", file({ agent: "c", status: "finished" }));
    box.write("docs/progress/f-d.md", "no frontmatter");
    expect(box.see("progress", "scan")).toMatchInlineSnapshot(`
      "[ ]  docs/progress/f-a.md  design, in progress  1 h ago  Drew a plan
      [x]  docs/progress/f-b.md  design, complete     1 h ago  Drew a plan
      malformed: docs/progress/f-c.md:6:1: "finished" is not a status.
        It is one of in_progress, blocked, awaiting_review, complete
      malformed: docs/progress/f-d.md:1:1: There is no frontmatter.
        Begin the file with a line "---", the fields, and another line "---"
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! 2 files had something new, which is saved now.
      ! To continue:
      !   checkpoint progress note --feature f --agent a "what you did"
      [exit 2]"
    `);
    expect(box.json("progress", "scan")).toMatchObject({
      files: [{ file: "docs/progress/f-a.md", is_new: false, is_complete: false }, { is_complete: true }],
      problems: [
        { file: "docs/progress/f-c.md", line: 6 },
        { file: "docs/progress/f-d.md", line: 1 },
      ],
    });
  });
});

describe("checkpoint templates", () => {
  it("lists them, shows one, and copies one", () => {
    expect(box.see("templates")).toMatchInlineSnapshot(`
      "eight-agents
        orchestrator, researcher, planner, test-master, implementer, reviewer, security-auditor,
        doc-master
      phase-gated
        requirements, architecture, implementation, verification, reflection, with approvals by a person
      product-flow
        one team plans, skeptics review, another builds and tests; each agent keeps a progress file
      architecture-review
        the checks of each phase, their coverage in Markdown and JSON, and a council that judges what
        failed
      ! To try one, offline, with a stand-in agent: checkpoint run --template eight-agents"
    `);
    expect(box.run(["templates", "eight-agents"]).stdout).toContain("name: eight-agents\n");
    expect(box.see("templates", "eight-agents", "--to", "flows")).toMatchInlineSnapshot(`
      "Wrote PROJECT/flows/workflow.yaml
            PROJECT/flows/agent.sh
      ! To run it: checkpoint run flows/workflow.yaml"
    `);
    expect(readdirSync(join(box.folder, "flows")).toSorted()).toEqual(["agent.sh", "workflow.yaml"]);
    expect(box.run(["templates", "eight-agents", "--to", "flows"]).status).toBe(0);
    writeFileSync(join(box.folder, "flows/agent.sh"), "mine");
    expect(box.see("templates", "eight-agents", "--to", "flows")).toMatchInlineSnapshot(`
      "! error: "PROJECT/flows/agent.sh" already exists, and differs from the template.
      ! hint: Choose another folder.
      [exit 6]"
    `);
    expect(box.see("templates", "eight-agent")).toMatchInlineSnapshot(`
      "! error: There is no template "eight-agent".
      ! hint: Did you mean "eight-agents"?
      [exit 3]"
    `);
    expect(box.see("templates", "--to", "flows")).toMatchInlineSnapshot(`
      "! error: --to needs the name of a template to copy.
      ! hint: One of them: checkpoint templates eight-agents --to flows
      [exit 2]"
    `);
    expect(box.json("templates")["templates"]).toMatchObject([{ name: "eight-agents" }, {}, {}, {}]);
  });
});

function file(fields: Record<string, string>): string {
  const all = {
    feature: "f",
    agent: "a",
    phase: "design",
    status: "in_progress",
    last_action: "Drew a plan",
    updated: "2026-01-23T11:00:00Z",
    ...fields,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return ["---", "", ...lines, "---", "", "- [10:30] Began", ""].join("\n");
}

/** Destroys everything of some size that the store holds so far. */
function damage(): void {
  const database = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
  const { changes } = database
    .prepare("UPDATE objects SET data = zeroblob(length(data)) WHERE length(data) > 200")
    .run();
  expect(changes).toBeGreaterThan(0);
  database.close();
}
