import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("the work state by hand", () => {
  it("keeps goal, next action, rules, decisions and blockers, each with one commit", () => {
    expect(box.see("goal", "Ship it", "--done-when", "Tests pass", "--done-when", "Docs are there"))
      .toMatchInlineSnapshot(`
      "Goal: Ship it
      ! Created PROJECT/.cairn, which keeps itself out of git."
    `);
    expect(box.see("goal")).toMatchInlineSnapshot(`
      "Ship it
      done when: Tests pass
      done when: Docs are there"
    `);
    expect(box.see("next", "Write a test")).toMatchInlineSnapshot(`"Next: Write a test"`);
    expect(box.see("next")).toMatchInlineSnapshot(`"Write a test"`);
    expect(box.see("constraint", "No new dependencies")).toMatchInlineSnapshot(
      `"Rule 1: No new dependencies"`,
    );
    expect(box.see("decide", "Use SQLite", "--why", "Nothing to install")).toMatchInlineSnapshot(
      `"Decided: Use SQLite (Nothing to install)"`,
    );
    expect(box.see("decide", "Use tabs")).toMatchInlineSnapshot(`"Decided: Use tabs"`);
    expect(box.see("block", "No access")).toMatchInlineSnapshot(`"Blocked by 1: No access"`);
    expect(box.see("block", "No time")).toMatchInlineSnapshot(`"Blocked by 2: No time"`);
    expect(box.see("unblock", "access")).toMatchInlineSnapshot(`
      "No longer blocked by: No access
      Still blocked by 1 more."
    `);
    expect(box.see("unblock", "1")).toMatchInlineSnapshot(`
      "No longer blocked by: No time
      Nothing blocks the work."
    `);
    expect(box.json("list")["checkpoints"]).toHaveLength(9);
  });

  it("removes no blocker when none is named, even where there is only one", () => {
    box.run(["block", "No access"]);
    expect(box.see("unblock", "")).toMatchInlineSnapshot(`
      "! error: The blocker is empty.
      ! hint: Say it in a few words, in quotes.
      [exit 2]"
    `);
    expect(box.json("load")["blockers"]).toHaveLength(1);
  });

  it("signs what is added with when and by whom", () => {
    box.run(["constraint", "by a person"]);
    box.run(["constraint", "by an agent", "--agent", "builder"]);
    box.run(["constraint", "by its session"], {
      env: { CHECKPOINT_TRAIL: "main", CLAUDE_CODE_SESSION_ID: "abc" },
    });
    expect(box.json("load")["constraints"]).toEqual([
      { text: "by a person", at: "2026-01-23T12:00:00.000Z", by: "person" },
      { text: "by an agent", at: "2026-01-23T12:01:00.000Z", by: "agent:builder" },
      { text: "by its session", at: "2026-01-23T12:02:00.000Z", by: "agent:claude-code" },
    ]);
  });

  it("moves through phases", () => {
    expect(box.see("phase", "start", "Design", "--number", "1")).toMatchInlineSnapshot(`
      "Started phase 1, Design.
      ! Created PROJECT/.cairn, which keeps itself out of git."
    `);
    expect(box.see("phase", "complete", "--output", "docs/design.md")).toMatchInlineSnapshot(
      `"Completed phase 1, Design."`,
    );
    expect(
      box.see("phase", "start", "Phase 2: Build", "--number", "2", "--notes", "the hard part"),
    ).toMatchInlineSnapshot(`"Started Phase 2: Build."`);
    expect(box.see("phase", "start", "Release")).toMatchInlineSnapshot(`
      "Started phase Release.
      ! Phase 2: Build was not completed before."
    `);
    expect(box.see("phase", "fail", "--why", "The registry is down")).toMatchInlineSnapshot(
      `"Phase Release failed."`,
    );
    expect(box.see("phase", "complete")).toMatchInlineSnapshot(`
      "! error: Phase Release is already failed.
      ! hint: checkpoint phase start NAME
      [exit 3]"
    `);
    expect(box.see("load")).toMatchInlineSnapshot(`
      "ckpt-20260123-120400-e37c49f7
      main, 2 min ago, phase (2026-01-23 12:04:00 UTC)

      Phase      Release  failed, started 3 min ago
                 The registry is down
                 completed: 1
      Outputs    [x] phase Design docs/design.md"
    `);
  });

  it("numbers tasks, and knows which wait for which", () => {
    box.run(["task", "add", "One"]);
    box.run(["task", "add", "Two"]);
    expect(box.see("task", "add", "Three", "--blocked-by", "1,2", "--owner", "me")).toMatchInlineSnapshot(
      `"Task 3 added: Three (waits for 1, 2)"`,
    );
    expect(box.see("task", "add", "Zero", "--blocks", "1")).toMatchInlineSnapshot(`"Task 4 added: Zero"`);
    expect(box.see("task", "list")).toMatchInlineSnapshot(`
      "[!] 1  One  waits for 4
      [ ] 2  Two
      [!] 3  Three  @me, waits for 1, 2
      [ ] 4  Zero"
    `);
    expect(box.see("task", "start", "1")).toMatchInlineSnapshot(`
      "Task 1 started: One
      ! warning: Task 1 waits for 4."
    `);
    expect(box.see("task", "done", "1")).toMatchInlineSnapshot(`
      "Task 1 done: One (1 of 4 done)
      Next: checkpoint task start 2  (Two)"
    `);
    expect(box.see("task", "done", "2", "--evidence", "seen")).toMatchInlineSnapshot(`
      "Task 2 done: Two (2 of 4 done)
      Next: checkpoint task start 3  (Three)"
    `);
    expect(box.see("task", "block", "3", "--why", "Waiting for the review")).toMatchInlineSnapshot(
      `"Task 3 blocked: Three"`,
    );
    expect(box.see("task", "block", "3")).toMatchInlineSnapshot(`"! Task 3 is already blocked: Three"`);
    expect(box.see("task", "cancel", "4")).toMatchInlineSnapshot(`"Task 4 cancelled: Zero"`);
    expect(box.see("task", "cancel", "4")).toMatchInlineSnapshot(`"! Task 4 is already cancelled: Zero"`);
    expect(box.see("task", "list", "--all")).toMatchInlineSnapshot(`
      "[x] 1  One
      [x] 2  Two
      [!] 3  Three  @me, Waiting for the review
      [-] 4  Zero"
    `);
    expect(box.json("task", "add", "Five")["task"]).toMatchObject({
      id: "5",
      status: "pending",
      by: "person",
    });
  });

  it("frees a task when the last one that it waited for is over", () => {
    box.run(["task", "add", "One"]);
    box.run(["task", "add", "Two", "--blocked-by", "1"]);
    box.run(["task", "done", "1"]);
    expect(box.json("task", "list")["tasks"]).toMatchObject([{ id: "2", status: "pending" }]);
  });

  it("refuses tasks that would wait for each other", () => {
    box.run(["task", "add", "One"]);
    box.run(["task", "add", "Two", "--blocked-by", "1"]);
    expect(box.see("task", "block", "1", "--by", "2")).toMatchInlineSnapshot(`
      "! error: Task 1 cannot wait for task 2: they would wait for each other.
      ! hint: checkpoint task list
      [exit 2]"
    `);
    expect(box.see("task", "block", "1", "--by", "1")).toMatchInlineSnapshot(`
      "! error: Task 1 cannot wait for task 1: they would wait for each other.
      ! hint: checkpoint task list
      [exit 2]"
    `);
  });

  it("tells what cannot be found, and commits nothing", () => {
    expect(box.see("task", "done", "1")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint in this project yet.
      ! hint: checkpoint now
      [exit 3]"
    `);
    expect(box.see("unblock", "1")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint in this project yet.
      ! hint: checkpoint now
      [exit 3]"
    `);
    box.run(["now", "--var", "region", "eu"]);
    expect(box.see("task", "done", "1")).toMatchInlineSnapshot(`
      "! error: There are no tasks yet.
      ! hint: checkpoint task add "…"
      [exit 3]"
    `);
    box.run(["task", "add", "One"]);
    expect(box.see("task", "done", "7")).toMatchInlineSnapshot(`
      "! error: There is no task "7".
      ! hint: checkpoint task list --all
      [exit 3]"
    `);
    expect(box.see("task", "add", "Two", "--blocked-by", "9")).toMatchInlineSnapshot(`
      "! error: There is no task "9".
      ! hint: checkpoint task list --all
      [exit 3]"
    `);
    expect(box.see("unblock", "1")).toMatchInlineSnapshot(`
      "! error: There is no blocker 1.
      ! hint: checkpoint status
      [exit 3]"
    `);
    expect(box.see("unset", "regoin")).toMatchInlineSnapshot(`
      "! error: There is no variable "regoin".
      ! Did you mean region?
      ! hint: checkpoint load
      [exit 3]"
    `);
    expect(box.see("phase", "complete")).toMatchInlineSnapshot(`
      "! error: No phase was started.
      ! hint: checkpoint phase start NAME
      [exit 3]"
    `);
    expect(box.see("goal", "  ")).toMatchInlineSnapshot(`
      "! error: The goal is empty.
      ! hint: Say it in a few words, in quotes.
      [exit 2]"
    `);
    expect(box.json("list")["checkpoints"]).toHaveLength(2);
  });

  it("keeps any variable name, and none of them is special", () => {
    box.run(["set", "__proto__", "x"]);
    box.run(["set", "constructor", "y"]);
    box.run(["set", "count", "-5"]);
    const { stdout } = box.run(["load", "--json"]);
    expect(stdout).toContain(`"variables":{"__proto__":"x","constructor":"y","count":"-5"}`);
  });

  it("writes nothing into the trail of a run, which only its runner moves", () => {
    box.write("w.yaml", "name: w\nsteps: [{ id: a, run: 'false' }]\n");
    box.run(["run", "w.yaml", "--run-id", "w-1"]);
    const before = box.json("list", "--trail", "run/w-1")["checkpoints"] as { checkpoint_id: string }[];
    const refusal = `! error: Trail "run/w-1" belongs to the run "w-1": only its runner writes to it.
! hint: To see where it stands: checkpoint runs show w-1
! To save something of your own: --trail NAME, or leave it out
[exit 2]`;
    const tries = [
      ["set", "KEY", "value"],
      ["unset", "KEY"],
      ["now"],
      ["goal", "Another"],
      ["task", "add", "Something"],
      ["undo"],
      ["restore", before[0]!.checkpoint_id],
    ];
    for (const args of tries) expect(box.see(...args, "--trail", "run/w-1")).toBe(refusal);
    expect(box.asSeen(box.run(["now"], { env: { CHECKPOINT_TRAIL: "run/w-1" } }))).toBe(refusal);
    expect(box.run(["fork", "--trail", "run/w-1", "--as", "run/w-2"]).status).toBe(2);
    expect(box.json("list", "--trail", "run/w-1")["checkpoints"]).toEqual(before);
    expect(box.run(["fork", "--trail", "run/w-1", "--as", "copy"]).status).toBe(0);
  });

  it("shows hostile text without letting it reach the terminal", () => {
    const hostile = "red \u{1b}[31m and \u{202e}reversed\u{9b}2J\u{7}";
    const { stdout: said } = box.run(["goal", hostile]);
    const shown = ["load", "status", "list", "log", "summary"].map((command) => box.run([command]).stdout);
    const json = box.run(["load", "--json"]).stdout;
    const isUnsafe = (code: number) =>
      (code < 0x20 && code !== 0x0a) || (code >= 0x7f && code < 0xa0) || code === 0x202e;
    const unsafe = [said, ...shown, json].filter((text) =>
      Array.from(text).some((letter) => isUnsafe(letter.codePointAt(0) ?? 0)),
    );
    expect(unsafe).toEqual([]);
    expect(JSON.parse(json)).toMatchObject({ goal: hostile });
  });
});
