import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

const WORKFLOW = `name: w
steps:
  - id: a
    run: echo a > a.txt
    outputs: [a.txt]
  - id: b
    run: echo b > b.txt; test -e go
    outputs: [b.txt]
  - id: c
    run: echo c
`;

describe("a run that is unfinished", () => {
  let box: Sandbox;
  beforeEach(() => {
    box = new Sandbox();
    box.write("w.yaml", WORKFLOW);
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
  });
  afterEach(() => box.remove());
  const runs = () =>
    (JSON.parse(box.run(["runs", "--json"]).stdout) as { runs: { id: string }[] }).runs.map(({ id }) => id);

  it("plans with the commands that would run, not with those it was started with", () => {
    box.write("w.yaml", `${WORKFLOW.replace("echo c", "echo see")}  - id: d\n    run: echo d\n`);
    expect(box.see("resume", "w-1", "--dry-run")).toMatchInlineSnapshot(`
      "w-1  1 of 4 steps done (25 %)
      [x] a  done
      [>] b  failed: It ended with status 1.  echo b > b.txt; test -e go
      [ ] c  after b                          echo see
      [ ] d  after c                          echo d

      It can resume, but:
        The workflow was edited since (changed: c; new: d).
          What is not done is done as the file says now: checkpoint resume w-1 --dry-run"
    `);
    box.write("go", "");
    expect(box.run(["resume", "w-1"]).stderr).toContain("w-1 resumes: 1 of 4 steps done");
  });

  it("keeps its definition when the file holds another workflow now", () => {
    box.write("w.yaml", "name: other\nsteps: [{ id: a, run: echo other }]\n");
    expect(box.see("resume", "w-1", "--dry-run")).toMatchInlineSnapshot(`
      "w-1  1 of 3 steps done (33 %)
      [x] a  done
      [>] b  failed: It ended with status 1.  echo b > b.txt; test -e go
      [ ] c  after b                          echo c

      It can resume, but:
        The file "w.yaml" holds another workflow than "w" now: the definition stored with the run is used.
          Bring the file back if it is to be edited."
    `);
    box.write("go", "");
    expect(box.run(["resume", "w-1"]).stdout).toContain("w-1  completed  3 of 3 steps");
  });

  it("makes no fork that could not go on, and says so in the plan too", () => {
    box.write("a.txt", "something else\n");
    const refusal = [
      '"a.txt", made by step "a", has changed since.',
      "Bring it back, take it as it is (--accept-changes), or make it again: checkpoint resume w-1 --redo a",
    ];
    expect(box.see("resume", "w-1", "--resume-step", "1")).toBe(
      `! error: Run "w-1" cannot simply be resumed:\n! ${refusal[0]}\n! hint: ${refusal[1]}\n[exit 6]`,
    );
    expect(box.see("resume", "w-1", "--resume-step", "1", "--dry-run")).toMatch(
      /It cannot simply be resumed:\n {2}"a.txt", made by step "a", has changed since[\s\S]*\[exit 6\]$/,
    );
    expect(runs()).toEqual(["w-1"]);
    expect(box.run(["resume", "w-1", "--resume-step", "1", "--accept-changes"]).status).toBe(1);
    expect(runs()).toEqual(["w-1~2", "w-1"]);
  });

  it("ends the unfinished run that it is forked from, so that nothing is done again", () => {
    box.write("go", "");
    const { status, stdout, stderr } = box.run(["resume", "w-1", "--resume-step", "1"]);
    expect([status, stdout.split("\n")[0]]).toEqual([0, "w-1~2  completed  3 of 3 steps"]);
    expect(stderr).toContain(
      "This is a new run, w-1~2, forked from w-1: what that one did stays on record, and what it had left to do is done here.",
    );
    expect(box.see("resume")).toBe("! Nothing is unfinished.");
    expect(box.see("resume", "w-1")).toMatchInlineSnapshot(`
      "! error: Run "w-1" continues as "w-1~2": only that one can be resumed.
      ! hint: checkpoint resume w-1~2
      [exit 6]"
    `);
    expect(box.see("resume", "w-1", "--dry-run").split("\n").slice(-4).join("\n")).toMatchInlineSnapshot(`
      "It cannot simply be resumed:
        The run continues as w-1~2: only that one can be resumed.
          checkpoint resume w-1~2
      [exit 6]"
    `);
    expect(box.json("runs", "show", "w-1")["run"]).toMatchObject({
      status: "cancelled",
      reason: "It continues as w-1~2.",
      continued_as: "w-1~2",
      can_resume: false,
    });
    expect(box.see("runs", "show", "w-1")).toContain("checkpoint runs show w-1~2");
    // It can still be forked, as any record can.
    expect(box.run(["resume", "w-1", "--redo", "c"]).stdout).toContain("w-1~3  completed  3 of 3 steps");
  });

  it("ends earlier forks too, so that the same command again leaves nothing unfinished", () => {
    expect(box.run(["resume", "w-1", "--resume-step", "1"]).status).toBe(1);
    box.write("go", "");
    expect(box.run(["resume", "w-1", "--resume-step", "1"]).stdout).toContain("w-1~3  completed");
    expect(box.see("resume")).toBe("! Nothing is unfinished.");
    expect(box.json("runs", "show", "w-1~2")["run"]).toMatchObject({ continued_as: "w-1~3" });
  });

  it("says in the plan of a fork that the unfinished run would end", () => {
    expect(box.see("resume", "w-1", "--redo", "a", "--dry-run").split("\n")[0]).toBe(
      "This would be a new run, forked from w-1: what that one did stays on record, and what it had left to do is done here.",
    );
    expect(box.json("resume", "w-1", "--redo", "a", "--dry-run")["plan"]).toMatchObject({
      ends_origin: true,
    });
    expect(box.json("runs", "show", "w-1")["run"]).toMatchObject({ status: "failed", continued_as: null });
  });

  it("makes no fork without the secrets that it needs", () => {
    box.write(
      "s.yaml",
      WORKFLOW.replace("steps:", "inputs: { key: { secret: true } }\nsteps:").replace("w", "s"),
    );
    box.run(["run", "s.yaml", "--run-id", "s-1"], { env: { INPUT_KEY: "k" } });
    expect(box.run(["resume", "s-1", "--redo", "a"]).status).toBe(2);
    expect(runs()).toEqual(["s-1", "w-1"]);
  });

  it("says that it would be a new run, and names a file stale only until a step has made it again", () => {
    box.write("go", "");
    box.run(["resume", "w-1"]);
    box.write("go2", "");
    expect(box.see("resume", "w-1", "--redo", "b", "--dry-run")).toMatchInlineSnapshot(`
      "This would be a new run, forked from w-1: what that one did stays on record, so it is not changed.
      1 of 3 steps done (33 %)
      [x] a  done
      [>] b  its needs are met  echo b > b.txt; test -e go
      [ ] c  after b            echo c
      Left over from the run it was forked from: b.txt

      It can resume."
    `);
    const { stdout } = box.run(["resume", "w-1", "--redo", "b"]);
    expect(stdout).toContain("w-1~2  completed  3 of 3 steps");
    expect(stdout).not.toContain("Left over");
  });

  it("says in its plan that it is over", () => {
    box.run(["cancel", "w-1"]);
    expect(box.see("resume", "w-1", "--dry-run").split("\n").slice(-5).join("\n")).toMatchInlineSnapshot(`
      "
      It cannot simply be resumed:
        The run is cancelled: it cannot be resumed.
          Start a new one of "w", or fork this one: checkpoint resume w-1 --resume-step 0
      [exit 6]"
    `);
    expect(box.run(["resume", "w-1"]).status).toBe(6);
    box.write("go", "");
    box.run(["resume", "w-1", "--resume-step", "0"]);
    expect(box.see("resume", "w-1~2", "--dry-run").split("\n").at(-1)).toBe(
      "It is already completed: nothing to do.",
    );
  });
});

describe("an approval whose files have changed", () => {
  it("is asked again in the plan and in the run, with the reason", () => {
    const box = new Sandbox();
    box.write(
      "q.yaml",
      "name: q\nsteps:\n  - { id: make, run: echo 1 > art, outputs: [art] }\n  - { id: ok, approve: Ship? }\n  - { id: ship, run: 'true' }\n",
    );
    box.run(["run", "q.yaml", "--run-id", "q-1"]);
    box.run(["approve", "q-1"]);
    box.write("art", "2\n");
    expect(box.see("resume", "q-1", "--dry-run")).toMatchInlineSnapshot(`
      "q-1  1 of 3 steps done (33 %)
      [x] make  done
      [?] ok    What was approved has changed since.  asks: Ship?
      [ ] ship  after ok                              true

      It can resume."
    `);
    expect(box.see("resume", "q-1")).toContain("!     asked again: What was approved has changed since.");
    expect(box.see("status")).toContain("Approvals  q-1 ok: Ship?");
    box.remove();
  });
});
