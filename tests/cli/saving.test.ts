import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
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
    const { messages, ...document } = box.json(
      "now",
      "--notes",
      "why",
      "--var",
      "region",
      "eu",
      "--var",
      "build=42",
      "--agent",
      "my-agent",
    );
    expect(messages).toEqual([`Created ${join(box.folder, ".cairn")}, which keeps itself out of git.`]);
    expect(document).toMatchInlineSnapshot(`
      {
        "active_task_id": null,
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
        "estimated_tokens": 108,
        "files_touched": [],
        "gotchas": [],
        "notes": "why",
        "parent_checkpoint_id": null,
        "parent_hash": null,
        "phase": null,
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

  it("says no more than that there is no commit yet in a new repository", () => {
    box.git("init", "-q", "-b", "main");
    expect(box.see("now")).toContain("; git: main, no commit yet, 0 files touched.");
    box.write("a.txt", "a");
    expect(box.see("now")).toContain("; git: main, no commit yet, 1 file touched.");
  });

  it("names the first 200 files that were touched, and counts them all", () => {
    box.git("init", "-q", "-b", "main");
    for (let index = 0; index < 501; index++) box.write(`new/file-${index}`, "");
    expect(box.see("now")).toContain("501 files touched.");
    const { files_touched, workspace } = box.json("load");
    expect(files_touched).toHaveLength(200);
    expect((files_touched as string[]).every((path) => path.startsWith("new/file-"))).toBe(true);
    expect(workspace).toMatchObject({ more_files: 301 });
    expect(box.see("load")).toMatch(/501 files touched\n(?: +new\S+\n)+ +\+ 482 more\n/);
    expect(box.see("summary")).toContain("501 files touched");
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
      ! Saved on main; git: main at 9a0f55ea64, uncommitted changes, 1 file touched."
    `);
    box.git("add", ".");
    box.git("commit", "-qm", "second");
    expect(box.see("now")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-14900723
      ! Saved on main; git: main at 09eb725b46, nothing to commit, 1 file touched."
    `);
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-e13e4800 → ckpt-20260123-120100-14900723
      Git
        ~ commit 9a0f55ea64 → 09eb725b46
        ~ nothing to commit"
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

  it("finds secrets by their place in the bundled command too", () => {
    const lines = [
      "mc alias set prod https://minio.example.com admin s3cr3tK3yV9",
      "htpasswd -cb .htpasswd bob hunter2299x",
      "rabbitmqctl add_user bob hunter2299x",
    ];
    for (const notes of lines) {
      box.run(["now", "--notes", notes]);
      expect(String(box.json("load")["notes"])).toMatch(/\[redacted:[\w-]+\]$/);
    }
  });

  it("never lets a secret reach the disk, and says how many there were", () => {
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    expect(box.see("now", "--var", "token", secret, "--notes", `use ${secret}`)).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-efa0693e
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! warning: 2 secrets were left out: checkpoints never hold passwords, keys or tokens.
      ! Saved on main."
    `);
    expect(box.json("load")).toMatchObject({
      variables: { token: "[redacted:github-token]" },
      notes: "use [redacted:github-token]",
    });
    const folder = join(box.folder, ".cairn");
    const holding = readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(secret));
    expect(holding).toEqual([]);
  });
});

describe("checkpoint load", () => {
  it("says that there is no checkpoint yet, and creates nothing", () => {
    for (const command of ["load", "list", "log", "status", "summary", "diff", "verify", "prune"]) {
      expect(box.see(command)).toBe(
        "! error: There is no checkpoint in this project yet.\n! hint: checkpoint now\n[exit 3]",
      );
    }
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
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
    const shell = spawnSync("sh", ["-c", `eval "$1"; printf %s "$CKPT_MY_KEY"`, "sh", stdout], {
      cwd: box.folder,
      encoding: "utf8",
    });
    expect(shell.stdout).toBe(nasty);
    expect(existsSync(join(box.folder, "hacked"))).toBe(false);
  });
});

describe("checkpoint load --env", () => {
  it("says when two variables would have one name in a shell", () => {
    box.run(["now", "--var", "a.b", "1", "--var", "a-b", "2"]);
    expect(box.see("load", "--env")).toMatchInlineSnapshot(`
      "export CKPT_A_B='1'
      export CKPT_A_B='2'
      ! warning: a.b and a-b are both CKPT_A_B: the second one is used."
    `);
  });

  it("is not JSON", () => {
    box.run(["now"]);
    const { stdout, stderr, status } = box.run(["load", "--env", "--json"]);
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "usage", hint: "checkpoint load --json" } });
  });
});

describe("checkpoint list, log and diff", () => {
  it("diff has a status for scripts, and JSON for programs", () => {
    box.run(["now"]);
    expect(box.see("diff")).toMatchInlineSnapshot(`
      "! error: Checkpoint ckpt-20260123-120000-d7447c60 is the first of trail "main": nothing came before it.
      ! hint: checkpoint list
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
  it("status names a next command from the very beginning", () => {
    box.run(["now"]);
    expect(box.see("status")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-d7447c60  main, 1 min ago, manual

      To continue
        checkpoint goal "…"  # set what the work is for
        checkpoint summary   # a briefing for the next agent"
    `);
  });
});
