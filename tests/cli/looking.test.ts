import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeAll(() => {
  box = new Sandbox();
  fill(box);
});
beforeEach(() => box.setMinutes(14));
afterAll(() => box.remove());

describe("looking at a day of work", () => {
  it("shows everything that a checkpoint holds", () => {
    expect(box.see("load")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab
      main, 1 min ago, task (2026-01-23 12:13:00 UTC)

      Goal       Ship the login page
      Done when  All tests pass
      Phase      5, Agent Bootstrapping  in progress, started 9 min ago
      Tasks      1 of 3 done
                 [x] 1  Create the module  @my-agent
                 [>] 2  Write the CLI  @me
                 [!] 3  Deploy  waits for 2
      Rules      Never touch the production database
      Blockers   1  No access to the staging server
      Decided    Use SQLite (Nothing to install)
      Variables  region  eu
                 build   42
      Next       Write the test for a wrong password"
    `);
  });

  it("finds a checkpoint by the beginning of its id, and tells what is wrong with one that it cannot find", () => {
    const [newest] = box.json("list")["checkpoints"] as { checkpoint_id: string; content_hash: string }[];
    const { checkpoint_id: id, content_hash: hash } = newest!;
    for (const name of [id, id.slice(0, -3), hash, hash.slice(0, 8)])
      expect(box.json("load", name)["checkpoint_id"]).toBe(id);
    expect(box.see("load", "ckpt-20250101-000000-abcdef01")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint "ckpt-20250101-000000-abcdef01".
      ! hint: checkpoint list --all
      [exit 3]"
    `);
    expect(box.see("load", "nonsense")).toMatchInlineSnapshot(`
      "! error: "nonsense" is not a checkpoint id.
      ! hint: An id looks like ckpt-20260123-120000-abc12345; its beginning is enough, and @, @~2 and tags work too: checkpoint list
      [exit 2]"
    `);
    expect(box.see("load", "ckpt-20260123")).toContain("could be 14 checkpoints: ckpt-20260123-120000-");
  });

  it("estimates the tokens in JSON", () => {
    expect(box.json("load")["estimated_tokens"]).toBeGreaterThan(100);
  });

  it("list tells who, when, why and what changed", () => {
    expect(box.see("list", "--limit", "8")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  1 min ago  task    task 2 Write the CLI: pending → in progress
      ckpt-20260123-121200-79eb7f9a  2 min ago  manual  + next action: Write the test for a wrong password
      ckpt-20260123-121100-20b46455  3 min ago  manual  + build = 42
      ckpt-20260123-121000-760ac362  4 min ago  task    task 1 Create the module: in progress → completed, evidence: npm test: 214 passed
      ckpt-20260123-120900-ec0c0d73  5 min ago  task    task 1 Create the module: pending → in progress, owner: my-agent  @my-agent
      ckpt-20260123-120800-065782c0  6 min ago  task    + task 3 Deploy (blocked)
      ckpt-20260123-120700-66d120f0  7 min ago  task    + task 2 Write the CLI (pending)
      ckpt-20260123-120600-a009c457  8 min ago  task    + task 1 Create the module (pending)"
    `);
    expect(box.see("list", "--limit", "2", "--all")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  2 min ago  main  task    task 2 Write the CLI: pending → in progress
      ckpt-20260123-121200-79eb7f9a  3 min ago  main  manual  + next action: Write the test for a wrong password"
    `);
  });

  it("log shows what changed in each", () => {
    expect(box.see("log", "--limit", "7")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  main  1 min ago, task
          task 2 Write the CLI: pending → in progress
      ckpt-20260123-121200-79eb7f9a  2 min ago, manual
          + next action: Write the test for a wrong password
      ckpt-20260123-121100-20b46455  3 min ago, manual
          + build = 42
      ckpt-20260123-121000-760ac362  4 min ago, task
          task 1 Create the module: in progress → completed, evidence: npm test: 214 passed
      ckpt-20260123-120900-ec0c0d73  5 min ago, task by my-agent
          task 1 Create the module: pending → in progress, owner: my-agent
      ckpt-20260123-120800-065782c0  6 min ago, task
          + task 3 Deploy (blocked)
      ckpt-20260123-120700-66d120f0  7 min ago, task
          + task 2 Write the CLI (pending)"
    `);
  });

  it("diff tells in words what changed, the newest against the one before it", () => {
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "ckpt-20260123-121200-79eb7f9a → ckpt-20260123-121300-a90771ab
      Tasks
        ~ 2  Write the CLI: pending → in progress"
    `);
    const first = (box.json("list")["checkpoints"] as { checkpoint_id: string }[]).at(-1)!.checkpoint_id;
    expect(box.see("diff", "--from", first)).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-ceca4aa1 → ckpt-20260123-121300-a90771ab
      Phase
        + 5, Agent Bootstrapping (in progress)
      Tasks
        + 1  Create the module (completed)
        + 2  Write the CLI (in progress)
        + 3  Deploy (blocked)
      Variables
        + build = 42
      Work
        + goal: Ship the login page
        + done when: All tests pass
        + next action: Write the test for a wrong password
        + rule: Never touch the production database
        + decision: Use SQLite
        + blocker: No access to the staging server"
    `);
  });

  it("status says where the work stands and how to go on", () => {
    expect(box.see("status")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  main, 1 min ago, task

      Goal       Ship the login page
      Phase      5, Agent Bootstrapping  in progress, started 9 min ago
      Tasks      1 of 3 done
                 [>] 2  Write the CLI  @me
                 [!] 3  Deploy  waits for 2
      Blockers   1  No access to the staging server
      Rules      1 rule to keep: checkpoint load
      Next       Write the test for a wrong password

      To continue
        checkpoint task done 2  # when it is done: Write the CLI
        checkpoint summary      # a briefing for the next agent"
    `);
  });

  it("summary is a briefing within its budget", () => {
    const { stdout } = box.run(["summary", "--level", "minimal"]);
    for (const essential of [
      "Ship the login page",
      "Never touch the production database",
      "Write the test for a wrong password",
    ]) {
      expect(stdout).toContain(essential);
    }
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Resume: `checkpoint status --trail main`");
    const { tokens, budget } = box.json(
      "summary",
      "--max-tokens",
      "700",
      "--keys",
      "region",
      "--for",
      "terraform",
    );
    expect(budget).toEqual({ max_tokens: 700, max_chars: null, family: "claude" });
    expect((tokens as { upper: number }).upper).toBeLessThanOrEqual(700);
  });

  it("summary says when nothing belongs to the task that it is for", () => {
    const { stdout, stderr } = box.run(["summary", "--for", "xyzzy"]);
    expect(stderr).toBe(
      'No decision, task, file or other record matches "xyzzy": the summary is the same as for any task.\n',
    );
    expect(stdout).toBe(box.run(["summary"]).stdout);
  });

  it("summary refuses a size that is too small with status 7, and suggests a command that succeeds", () => {
    const { status, stderr } = box.run([
      "summary",
      "--max-tokens",
      "20",
      "--family",
      "gpt",
      "--keys",
      "region",
    ]);
    expect(status).toBe(7);
    const hint = /^hint: checkpoint (summary --max-tokens \d+ --family gpt --keys region)$/m.exec(
      stderr,
    )?.[1];
    expect(box.run(hint!.split(" ")).stdout).toContain("- region: eu");
  });
});

/** A day of work, one minute a command. */
function fill(box: Sandbox): void {
  for (const line of [
    ["now", "--notes", "Starting task X", "--var", "region", "eu"],
    ["goal", "Ship the login page", "--done-when", "All tests pass"],
    ["constraint", "Never touch the production database"],
    ["decide", "Use SQLite", "--why", "Nothing to install"],
    ["block", "No access to the staging server"],
    ["phase", "start", "Agent Bootstrapping", "--number", "5"],
    ["task", "add", "Create the module"],
    ["task", "add", "Write the CLI", "--owner", "me"],
    ["task", "add", "Deploy", "--blocked-by", "1,2"],
    ["task", "start", "1", "--agent", "my-agent"],
    ["task", "done", "1", "--evidence", "npm test: 214 passed"],
    ["set", "build", "42"],
    ["next", "Write the test for a wrong password"],
    ["task", "start", "2"],
  ]) {
    const { status, stderr } = box.run(line);
    if (status !== 0) throw new Error(`${line.join(" ")}: ${stderr}`);
  }
}
