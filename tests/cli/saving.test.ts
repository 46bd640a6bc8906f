import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("checkpoint now", () => {
  it("creates the store with the first checkpoint, says so, and prints the id alone on stdout", () => {
    expect(box.see("now", "--notes", "Starting task X")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-fa319415
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Saved on main."
    `);
    expect(statSync(join(box.folder, ".cairn")).mode & 0o777).toBe(0o700);
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-904f1492
      ! Saved on main."
    `);
  });

  it("prints the whole checkpoint with --json, with the state flat beside it", () => {
    const { messages, ...document } = box.json("now", "--notes", "why", "--var", "region", "eu", "--var", "build=42", "--agent", "my-agent");
    expect(messages).toEqual([`Created ${join(box.folder, ".cairn")}, which keeps itself out of git.`]);
    expect(document).toMatchInlineSnapshot(`
      {
        "agent_id": "my-agent",
        "agent_tier": null,
        "approvals_pending": [],
        "blockers": [],
        "checkpoint_id": "ckpt-20260123-120000-c88f0e5c",
        "checks_failing": [],
        "commands": [],
        "constraints": [],
        "content_hash": "c88f0e5c3e9938e4e69bc26bb4329b44a887d02208ccd97db260b059e42c71e6",
        "created_at": "2026-01-23T12:00:00.000Z",
        "decisions": [],
        "dependencies": [],
        "estimated_tokens": 126,
        "files_touched": [],
        "gotchas": [],
        "notes": "why",
        "parent_checkpoint_id": null,
        "parent_hash": null,
        "phases_completed": [],
        "recent_outputs": [],
        "restored_from": null,
        "schema": "cairn/now@1",
        "schema_version": 1,
        "session_id": null,
        "subagents": [],
        "success_criteria": [],
        "tasks": [],
        "trail": "main",
        "trigger": "manual",
        "variables": {
          "build": "42",
          "region": "eu",
        },
      }
    `);
  });

  it("records branch, commit and files that were touched since the last checkpoint", () => {
    box.git("init", "-q", "-b", "main");
    box.write("a.txt", "a");
    box.git("add", ".");
    box.git("commit", "-qm", "first");
    box.write("b.txt", "b");
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-e13e4800
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Saved on main; git: main at 9a0f55ea64, not all committed, 1 file touched."
    `);
    box.git("add", ".");
    box.git("commit", "-qm", "second");
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-14900723
      ! Saved on main; git: main at 09eb725b46, all committed, 1 file touched."
    `);
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-e13e4800 → ckpt-20260123-120100-14900723
      Git
        ~ commit 9a0f55ea64 → 09eb725b46
        ~ all committed"
    `);
    expect(box.git("status", "--porcelain")).toBe("");
  });

  it("keeps variables until they are unset", () => {
    box.run(["now", "--var", "a", "1"]);
    box.run(["now", "--var", "b", "2"]);
    expect(box.json("now")["variables"]).toEqual({ a: "1", b: "2" });
    expect(box.see("unset", "a")).toMatchInlineSnapshot(`"a is gone (was 1)"`);
    expect(box.json("now")["variables"]).toEqual({ b: "2" });
  });

  it("finds the project's root from a folder below it", () => {
    box.run(["now"]);
    box.write("src/deep/file.ts", "");
    const below = join(box.folder, "src/deep");
    expect(box.run(["now"], { cwd: below }).status).toBe(0);
    expect(existsSync(join(below, ".cairn"))).toBe(false);
    expect(box.json("list")["checkpoints"]).toHaveLength(2);
    expect(box.json("list", "-C", below)["checkpoints"]).toHaveLength(2);
  });

  it("never lets a secret reach the disk, and says how many there were", () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    expect(box.see("now", "--var", "token", secret, "--notes", `use ${secret}`)).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-efa0693e
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! warning: 2 secrets were left out: checkpoints never hold passwords, keys or tokens.
      ! Saved on main."
    `);
    expect(box.json("load")).toMatchObject({ variables: { token: "[redacted:github-token]" }, notes: "use [redacted:github-token]" });
    for (const file of ["store.sqlite", "store.sqlite-wal"]) {
      const path = join(box.folder, ".cairn", file);
      if (existsSync(path)) expect(readFileSync(path).includes(secret)).toBe(false);
    }
  });
});

describe("checkpoint load", () => {
  it("says that there is no checkpoint yet, and creates nothing", () => {
    for (const command of ["load", "list", "log", "status", "summary", "diff", "verify", "prune"]) {
      expect(box.see(command)).toBe("! error: There is no checkpoint in this project yet.\n! hint: checkpoint now\n[exit 3]");
    }
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });

  it("shows everything that a checkpoint holds", () => {
    fill(box);
    expect(box.see("load")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab
      main, 1 min ago, task (2026-01-23 12:13:00 UTC)

      Goal       Ship the login page
      Done when  All tests pass
      Phase      5  Agent Bootstrapping  in progress, started 9 min ago
      Tasks      1 of 3 done
                 [x] 1  Create the module  @my-agent
                 [>] 2  Write the CLI  @me
                 [!] 3  Deploy  waits for 2
      Rules      Never touch the production database
      Blocked by 1  No access to the staging server
      Decided    Use SQLite (Nothing to install)
      Variables  region  eu
                 build   42
      Next       Write the test for a wrong password"
    `);
  });

  it("finds a checkpoint by the beginning of its id, and tells what is wrong with one that it cannot find", () => {
    fill(box);
    const [newest] = box.json("list")["checkpoints"] as { checkpoint_id: string; content_hash: string }[];
    const { checkpoint_id: id, content_hash: hash } = newest!;
    for (const name of [id, id.slice(0, -3), hash, hash.slice(0, 8)]) expect(box.json("load", name)["checkpoint_id"]).toBe(id);
    expect(box.see("load", "ckpt-20250101-000000-abcdef01")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint "ckpt-20250101-000000-abcdef01".
      ! hint: checkpoint list --all
      [exit 3]"
    `);
    expect(box.see("load", "nonsense")).toMatchInlineSnapshot(`
      "! error: "nonsense" is not a checkpoint id.
      ! hint: An id looks like ckpt-20260123-120000-abc12345; its beginning is enough: checkpoint list
      [exit 2]"
    `);
    expect(box.see("load", "ckpt-20260123")).toContain("could be 14 checkpoints: ckpt-20260123-120000-");
  });

  it("prints variables for a shell, whatever is in them", () => {
    const nasty = `it's "$(touch hacked)" \`id\` \\ & ; | > é`;
    box.run(["now", "--var", "my-key", nasty, "--var", "n", "a\nb"]);
    const { stdout } = box.run(["load", "--env"]);
    expect(stdout).toMatchInlineSnapshot(`
      "export CKPT_MY_KEY='it'\\''s "$(touch hacked)" \`id\` \\ & ; | > é'
      export CKPT_N='a
      b'
      "
    `);
    const shell = spawnSync("sh", ["-c", `eval "$1"; printf %s "$CKPT_MY_KEY"`, "sh", stdout], { cwd: box.folder, encoding: "utf8" });
    expect(shell.stdout).toBe(nasty);
    expect(existsSync(join(box.folder, "hacked"))).toBe(false);
  });

  it("estimates the tokens in JSON", () => {
    fill(box);
    expect(box.json("load")["estimated_tokens"]).toBeGreaterThan(100);
  });
});

describe("checkpoint list, log and diff", () => {
  it("list tells who, when, why and what changed", () => {
    fill(box);
    expect(box.see("list", "--limit", "8")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  1 min ago  task              task 2 Write the CLI: pending → in progress
      ckpt-20260123-121200-79eb7f9a  2 min ago  manual            + next action: Write the test for a wrong password
      ckpt-20260123-121100-20b46455  3 min ago  manual            + build = 42
      ckpt-20260123-121000-760ac362  4 min ago  task              task 1 Create the module: in progress → completed, evidence: npm test: 214 passed
      ckpt-20260123-120900-ec0c0d73  5 min ago  task by my-agent  task 1 Create the module: pending → in progress, owner: my-agent
      ckpt-20260123-120800-065782c0  6 min ago  task              + task 3 Deploy (blocked)
      ckpt-20260123-120700-66d120f0  7 min ago  task              + task 2 Write the CLI (pending)
      ckpt-20260123-120600-a009c457  8 min ago  task              + task 1 Create the module (pending)"
    `);
    expect(box.see("list", "--limit", "2", "--all")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  2 min ago  main  task    task 2 Write the CLI: pending → in progress
      ckpt-20260123-121200-79eb7f9a  3 min ago  main  manual  + next action: Write the test for a wrong password"
    `);
  });

  it("log shows what changed in each", () => {
    fill(box);
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
    fill(box);
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "ckpt-20260123-121200-79eb7f9a → ckpt-20260123-121300-a90771ab
      Tasks
        ~ 2  Write the CLI: pending → in progress"
    `);
    const first = (box.json("list")["checkpoints"] as { checkpoint_id: string }[]).at(-1)!.checkpoint_id;
    expect(box.see("diff", "--from", first)).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-ceca4aa1 → ckpt-20260123-121300-a90771ab
      Phase
        + 5 Agent Bootstrapping (in progress)
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

  it("diff has a status for scripts, and JSON for programs", () => {
    box.run(["now"]);
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "! error: Checkpoint ckpt-20260123-120000-d7447c60 is the first of trail "main": there is nothing to compare it with.
      ! hint: Save another one, or name two: checkpoint diff --from ID --to ID
      [exit 3]"
    `);
    box.run(["now"]);
    expect(box.see("diff", "--exit-code")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-d7447c60 → ckpt-20260123-120200-4ca740c8
      Nothing changed."
    `);
    box.run(["set", "region", "eu"]);
    expect(box.run(["diff", "--exit-code"]).status).toBe(1);
    const { from: _from, to: _to, ...changes } = box.json("diff");
    expect(changes).toMatchInlineSnapshot(`
      {
        "changed": true,
        "dependencies": {
          "added": [],
          "changed": [],
          "removed": [],
        },
        "other": [],
        "phase": null,
        "schema": "cairn/diff@1",
        "tasks": {
          "added": [],
          "changed": [],
          "removed": [],
        },
        "variables": {
          "added": {
            "region": "eu",
          },
          "changed": {},
          "removed": {},
        },
      }
    `);
  });
});

describe("checkpoint status and summary", () => {
  it("status says where the work stands and how to go on", () => {
    fill(box);
    expect(box.see("status")).toMatchInlineSnapshot(`
      "ckpt-20260123-121300-a90771ab  main, 1 min ago, task

      Goal       Ship the login page
      Phase      5  Agent Bootstrapping  in progress, started 9 min ago
      Tasks      1 of 3 done
                 [>] 2  Write the CLI  @me
                 [!] 3  Deploy  waits for 2
      Blocked by 1  No access to the staging server
      Rules      1 rule to keep: checkpoint load
      Next       Write the test for a wrong password

      To go on
        checkpoint task done 2  # when it is done: Write the CLI
        checkpoint summary      # a briefing for whoever goes on"
    `);
  });

  it("status names a next command from the very beginning", () => {
    box.run(["now"]);
    expect(box.see("status")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-d7447c60  main, 1 min ago, manual

      To go on
        checkpoint goal "…"  # say what the work is for
        checkpoint summary   # a briefing for whoever goes on"
    `);
  });

  it("summary is a briefing within its budget", () => {
    fill(box);
    const { stdout } = box.run(["summary", "--level", "minimal"]);
    for (const essential of ["Ship the login page", "Never touch the production database", "Write the test for a wrong password"]) {
      expect(stdout).toContain(essential);
    }
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("Resume: `checkpoint status --trail main`");
    const { tokens, budget } = box.json("summary", "--max-tokens", "700", "--keys", "region", "--for", "terraform");
    expect(budget).toEqual({ max_tokens: 700, max_chars: null, family: "claude" });
    expect((tokens as { upper: number }).upper).toBeLessThanOrEqual(700);
    expect(box.see("summary", "--max-tokens", "20")).toContain("[exit 7]");
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
