import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("going back and branching", () => {
  it("restores an earlier state as a new checkpoint, and undo takes that back", () => {
    const first = box.json("set", "region", "eu")["checkpoint"] as { checkpoint_id: string };
    box.run(["set", "region", "us"]);
    expect(box.see("restore", first.checkpoint_id, "--notes", "eu was right")).toMatchInlineSnapshot(`
      "ckpt-20260123-120200-1dca6885
      ! main is back at the state of ckpt-20260123-120000-95e3090c. No file was changed.
      ! checkpoint undo reverts this."
    `);
    expect(box.json("load")["variables"]).toEqual({ region: "eu" });
    expect(box.see("undo")).toMatchInlineSnapshot(`
      "ckpt-20260123-120400-305267d1
      ! main is back at the state of ckpt-20260123-120100-61a466e0.
      ! checkpoint restore ckpt-20260123-120200-1dca6885 reverts this."
    `);
    expect(box.json("load")["variables"]).toEqual({ region: "us" });
    expect(box.json("list")["checkpoints"]).toHaveLength(4);
  });

  it("undoes step by step, until there is nothing before", () => {
    box.run(["set", "n", "1"]);
    box.run(["set", "n", "2"]);
    box.run(["set", "n", "3"]);
    box.run(["undo"]);
    expect(box.json("load")["variables"]).toEqual({ n: "2" });
    box.run(["undo"]);
    expect(box.json("load")["variables"]).toEqual({ n: "1" });
    expect(box.see("undo")).toMatchInlineSnapshot(`
      "! error: Checkpoint ckpt-20260123-120000-facb8ca4 is the first of trail "main": nothing came before it.
      ! hint: checkpoint list
      [exit 3]"
    `);
  });

  it("forks a trail, works on it, and draws where it forked", () => {
    box.run(["goal", "Ship it"]);
    box.run(["set", "cache", "none"]);
    expect(box.see("fork", "--as", "try/redis")).toMatchInlineSnapshot(`
      "ckpt-20260123-120200-f140e97c
      ! Trail try/redis starts from ckpt-20260123-120100-c049e726.
      ! To work on it: export CHECKPOINT_TRAIL=try/redis"
    `);
    box.run(["set", "cache", "redis", "--trail", "try/redis"]);
    box.run(["set", "cache", "memory"]);
    box.run(["now", "--notes", "Good enough"]);
    expect(box.see("log", "--graph")).toMatchInlineSnapshot(`
      "o  ckpt-20260123-120500-8698e127  main  1 min ago, manual
      │  Good enough
      o  ckpt-20260123-120400-aa715223  2 min ago, manual
      │  cache: none → memory
      │ o  ckpt-20260123-120300-1501d47a  try/redis  3 min ago, manual
      │ │  cache: none → redis
      │ o  ckpt-20260123-120200-f140e97c  4 min ago, fork
      │ │  forked from ckpt-20260123-120100-c049e726
      ├─╯
      o  ckpt-20260123-120100-c049e726  5 min ago, manual
      │  + cache = none
      o  ckpt-20260123-120000-d22973a1  6 min ago, manual
         the first of its trail"
    `);
    expect(box.see("list", "--all", "--limit", "3")).toMatchInlineSnapshot(`
      "ckpt-20260123-120500-8698e127  2 min ago  main       manual  Good enough
      ckpt-20260123-120400-aa715223  3 min ago  main       manual  cache: none → memory
      ckpt-20260123-120300-1501d47a  4 min ago  try/redis  manual  cache: none → redis"
    `);
    expect(box.json("load", "--trail", "try/redis")["variables"]).toEqual({ cache: "redis" });
    expect(box.json("load")["variables"]).toEqual({ cache: "memory" });
  });

  it("refuses names that are taken or impossible", () => {
    box.run(["now"]);
    expect(box.see("fork")).toMatchInlineSnapshot(`
      "! error: checkpoint fork needs --as TRAIL: the new trail's name.
      ! hint: checkpoint fork --help
      [exit 2]"
    `);
    expect(box.see("fork", "--as", "main")).toMatchInlineSnapshot(`
      "! error: There is already a trail "main".
      ! hint: Choose another name: checkpoint list --all shows those in use.
      [exit 6]"
    `);
    expect(box.see("fork", "--as", "../etc")).toMatchInlineSnapshot(`
      "! error: "../etc" is not a trail name: ".." is not allowed in it.
      ! hint: Use letters, digits, "-", "_", "." and "/", as in "main" or "session/5f3a".
      [exit 2]"
    `);
    expect(box.see("restore", "ckpt-20200101")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint "ckpt-20200101".
      ! hint: checkpoint list --all
      [exit 3]"
    `);
  });
});

describe("which trail", () => {
  it("is the one typed, else that of the environment, else that of the agent session, else main", () => {
    const session = { CLAUDE_CODE_SESSION_ID: "5f3a/../x" };
    const trailOf = (args: string[], env: Record<string, string>) =>
      (JSON.parse(box.run(["now", "--json", ...args], { env }).stdout) as { trail: string }).trail;
    expect(trailOf([], {})).toBe("main");
    expect(trailOf([], { CODEX_THREAD_ID: "0199" })).toBe("session/0199");
    expect(trailOf([], session)).toBe("session/5f3a~2f~~2e~~2e~~2f~x");
    expect(trailOf([], { ...session, CHECKPOINT_TRAIL: "mine" })).toBe("mine");
    expect(trailOf(["--trail", "typed"], { ...session, CHECKPOINT_TRAIL: "mine" })).toBe("typed");
  });

  it("two agents in one folder never mix", () => {
    const [a, b] = [{ CLAUDE_CODE_SESSION_ID: "a" }, { CLAUDE_CODE_SESSION_ID: "b" }];
    box.run(["task", "add", "Of a"], { env: a });
    box.run(["task", "add", "Of b"], { env: b });
    const tasks = (env: Record<string, string>) => box.run(["task", "list", "--all"], { env }).stdout;
    expect([tasks(a), tasks(b)]).toEqual(["[ ] 1  Of a\n", "[ ] 1  Of b\n"]);
  });

  it("a command that only reads takes the trail that moved last when its own is empty", () => {
    box.run(["now", "--trail", "old"]);
    box.run(["now", "--trail", "newer", "--notes", "here"]);
    expect(box.see("list")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-6cfe2ba5  1 min ago  manual  here
      ! Trail main is empty; showing newer, the most recently changed."
    `);
    expect(box.see("status")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-6cfe2ba5  newer, 2 min ago, manual
      here

      To continue
        checkpoint goal "…" --trail newer  # set what the work is for
        checkpoint summary --trail newer   # a briefing for the next agent
      ! Trail main is empty; showing newer, the most recently changed."
    `);
    expect(box.see("list", "--trail", "typo")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint in trail "typo" yet.
      ! hint: checkpoint list --all
      [exit 3]"
    `);
    expect(box.see("load", "--trail", "typo")).toBe(box.see("list", "--trail", "typo"));
    expect(box.json("list")["messages"]).toEqual([
      "Trail main is empty; showing newer, the most recently changed.",
    ]);
  });

  it("worktrees of one repository have stores of their own", () => {
    box.git("init", "-q", "-b", "main");
    box.write("a.txt", "a");
    box.git("add", ".");
    box.git("commit", "-qm", "first");
    box.git("worktree", "add", "-q", "../tree");
    const tree = `${box.home}/tree`;
    box.run(["now", "--notes", "main tree"]);
    box.run(["now", "--notes", "other tree"], { cwd: tree });
    const notes = (cwd: string) =>
      (JSON.parse(box.run(["load", "--json"], { cwd }).stdout) as { notes: string }).notes;
    expect([notes(box.folder), notes(tree)]).toEqual(["main tree", "other tree"]);
  });
});
