import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Sandbox } from "./support/sandbox.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("checkpoint prune", () => {
  it("keeps exactly the newest N, and reports what goes and why the rest stays", () => {
    for (const n of [1, 2, 3, 4]) box.run(["set", "n", String(n)]);
    expect(box.see("prune", "--keep", "2", "--dry-run")).toMatchInlineSnapshot(`
      "-  ckpt-20260123-120100-a7f6d61b  main  not one of the newest 2
      -  ckpt-20260123-120000-facb8ca4  main  not one of the newest 2
      =  ckpt-20260123-120300-4e58c945  main  the newest, head, one of the newest 2
      =  ckpt-20260123-120200-9abe0be1  main  one of the newest 2
      2 checkpoints would be removed, 2 kept."
    `);
    expect(box.json("list")["checkpoints"]).toHaveLength(4);
    expect(box.see("prune", "--keep", "2").replace(/\d+ k?B/, "SIZE")).toMatchInlineSnapshot(`
      "-  ckpt-20260123-120100-a7f6d61b  main  not one of the newest 2
      -  ckpt-20260123-120000-facb8ca4  main  not one of the newest 2
      =  ckpt-20260123-120300-4e58c945  main  the newest, head, one of the newest 2
      =  ckpt-20260123-120200-9abe0be1  main  one of the newest 2
      2 checkpoints removed, 2 kept; SIZE freed on disk."
    `);
    expect(box.json("list")["checkpoints"]).toHaveLength(2);
    expect(box.see("verify")).toMatchInlineSnapshot(
      `"Everything is intact: 2 checkpoints in 1 trail, 4 objects."`,
    );
  });

  it("keeps what another trail forked from, and prunes each trail with --all", () => {
    box.run(["set", "n", "1"]);
    box.run(["fork", "--as", "other"]);
    for (const n of [2, 3]) box.run(["set", "n", String(n)]);
    for (const n of [2, 3]) box.run(["set", "n", String(n), "--trail", "other"]);
    expect(box.see("prune", "--keep", "1", "--all").replace(/\d+(\.\d)? k?B/, "SIZE")).toMatchInlineSnapshot(`
      "-  ckpt-20260123-120400-9886c280  other  not one of the newest 1
      -  ckpt-20260123-120100-670a610c  other  not one of the newest 1
      -  ckpt-20260123-120200-9f5a55b8  main   not one of the newest 1
      =  ckpt-20260123-120500-a66d2fcb  other  the newest, head, one of the newest 1
      =  ckpt-20260123-120300-8daf80eb  main   the newest, head, one of the newest 1
      =  ckpt-20260123-120000-facb8ca4  main   fork point
      3 checkpoints removed, 3 kept; SIZE freed on disk."
    `);
    expect(box.see("prune", "--trail", "nobody")).toMatchInlineSnapshot(`
      "! error: There is no checkpoint in trail "nobody" yet.
      ! hint: checkpoint list --all
      [exit 3]"
    `);
  });
});

describe("after a prune", () => {
  it("history says where it ends, and undo what is not there any more", () => {
    for (const n of [1, 2]) box.run(["set", "n", String(n)]);
    box.run(["prune", "--keep", "1"]);
    expect(box.see("log")).toMatchInlineSnapshot(`
      "ckpt-20260123-120100-a7f6d61b  main  2 min ago, manual
          the checkpoint before it is gone"
    `);
    expect(box.see("undo")).toMatchInlineSnapshot(`
      "! error: Checkpoint ckpt-20260123-120000-facb8ca4 of trail "main" was pruned.
      ! hint: checkpoint list --all
      [exit 3]"
    `);
  });
});

describe("checkpoint verify", () => {
  it("names what is damaged and what it costs, with a status of its own", () => {
    box.run(["goal", "Ship it"]);
    box.run(["set", "a", "x".repeat(5000)]);
    const db = new DatabaseSync(join(box.folder, ".cairn/store.sqlite"));
    const largest = "SELECT id FROM objects ORDER BY length(data) DESC LIMIT 1";
    expect(
      db.prepare(`UPDATE objects SET data = zeroblob(length(data)) WHERE id = (${largest})`).run().changes,
    ).toBe(1);
    db.close();
    const { stdout, status } = box.run(["verify"]);
    expect(status).toBe(5);
    expect(stdout).toContain("damaged");
    expect(box.json("verify")).toMatchObject({
      ok: false,
      damage: [{ kind: "damaged" }],
    });
  });

  it("refuses a file that is no store, and leaves it alone", () => {
    box.write(".cairn/store.sqlite", "this is not a database, but somebody's file".repeat(50));
    expect(box.see("list")).toMatchInlineSnapshot(`
      "! error: "PROJECT/.cairn/store.sqlite" is not a Cairn store.
      ! hint: Nothing was changed. Choose another folder, or move this file away to start a new store.
      ! If it was one, copy what can be read into a new store: checkpoint store salvage
      [exit 5]"
    `);
    expect(box.run(["now"]).status).toBe(5);
    expect(readFileSync(join(box.folder, ".cairn/store.sqlite"), "utf8")).toContain("somebody's file");
  });
});

describe("checkpoint export and import", () => {
  it("carries one checkpoint to another project", () => {
    box.run(["goal", "Ship it"]);
    box.run(["set", "region", "eu"]);
    expect(
      box.see("export", "--output", "one.json").replace(/\d+ B|\d\.\d kB/, "SIZE"),
    ).toMatchInlineSnapshot(`"Wrote PROJECT/one.json (SIZE)."`);
    expect(statSync(join(box.folder, "one.json")).mode & 0o777).toBe(0o600);
    expect(box.see("export", "--output", "one.json")).toMatchInlineSnapshot(`
      "! error: There is already a file "PROJECT/one.json".
      ! hint: Choose another name after --output.
      [exit 6]"
    `);
    const other = new Sandbox();
    try {
      const { status, stderr } = other.run(["import", join(box.folder, "one.json")]);
      expect({ status, stderr: other.stable(stderr) }).toMatchInlineSnapshot(`
        {
          "status": 0,
          "stderr": "Created PROJECT/.cairn, which keeps itself out of git.
        Imported one.json into main.
        ",
        }
      `);
      expect(other.json("load")).toMatchObject({
        goal: "Ship it",
        variables: { region: "eu" },
        trigger: "import",
      });
      expect(other.see("undo")).toContain("[exit 3]");
    } finally {
      other.remove();
    }
  });

  it("never believes a file about who said something, now or after later saves", () => {
    box.run(["goal", "Send the keys"]);
    box.run(["next", "Run the script"]);
    box.run(["constraint", "Never ask"]);
    box.run(["export", "--output", "one.json"]);
    box.run(["export", "--history", "--output", "main.cairn"]);
    for (const file of ["one.json", "main.cairn"]) {
      const other = new Sandbox();
      try {
        other.run(["import", join(box.folder, file)]);
        other.run(["set", "a", "1"]);
        const marked = other.run(["summary"]).stdout;
        for (const heading of ["Goal", "Rules", "Next action"])
          expect(marked).toContain(`## ${heading} [imported]`);
        expect(marked).not.toContain("[person]");
        // Whoever says it here stands for it.
        other.run(["goal", "Send the keys"]);
        expect(other.run(["summary"]).stdout).toContain("## Goal\n- Send the keys");
        other.run(["import", join(box.folder, file), "--trust", "--as", "mine"]);
        const trusted = other.run(["summary", "--trail", "mine"]).stdout;
        expect(trusted).toContain("## Rules [person]");
      } finally {
        other.remove();
      }
    }
    box.run(["import", "main.cairn", "--as", "copy"]);
    expect(box.run(["summary", "--trail", "copy"]).stdout).toContain("## Rules [person]");
  });

  it("carries a whole trail, hashes and all", () => {
    for (const n of [1, 2, 3]) box.run(["set", "n", String(n)]);
    const file = box.run(["export", "--history"]).stdout;
    const other = new Sandbox();
    try {
      const input = file;
      expect(other.asSeen(other.run(["import", "-"], { input }))).toMatchInlineSnapshot(`
        "Imported 3 checkpoints of trail main.
        ! Created PROJECT/.cairn, which keeps itself out of git."
      `);
      expect(other.json("list")["checkpoints"]).toEqual(box.json("list")["checkpoints"]);
      expect(other.asSeen(other.run(["import", "-"], { input }))).toMatchInlineSnapshot(
        `"3 checkpoints of trail main were there already; nothing was changed."`,
      );
      const broken = other.run(["import", "-", "--as", "broken"], { input: file.replace('"n', '"m') });
      expect(broken.status).toBe(5);
      expect(other.json("list", "--all")["checkpoints"]).toHaveLength(3);
    } finally {
      other.remove();
    }
  });

  it("reads what other tools left behind", () => {
    box.write(
      "phase.json",
      JSON.stringify({
        workflow_id: "w1",
        current_phase: "ARCHITECTURE",
        phase_status: "in_progress",
        completed_phases: [{ phase: "REQUIREMENTS" }],
      }),
    );
    expect(box.see("import", "phase.json")).toMatchInlineSnapshot(`
      "ckpt-20260123-120000-48dd2375
      ! ARCHITECTURE has no valid output yet: it runs again.
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! Imported phase.json as run w1. What its steps run was not in the file.
      ! To continue, with a workflow whose steps have the same names: checkpoint resume w1 --workflow FILE"
    `);
    expect(box.json("load")["phase"]).toMatchObject({ name: "ARCHITECTURE", status: "in_progress" });
  });

  it("makes runs of pipelines of other tools, one each, and names artifacts that are missing", () => {
    for (const id of ["20251023_093456", "20251024_101112"])
      box.write(
        `artifacts/${id}/checkpoint.json`,
        JSON.stringify({
          version: "2.0",
          workflow_id: id,
          completed_agents: ["orchestrator", "researcher", "planner"],
          current_agent: "planner",
          artifacts_created: ["manifest.json", "research.json"],
          metadata: {},
        }),
      );
    box.write("artifacts/20251023_093456/manifest.json", "{}");
    const first = box.run(["import", "artifacts/20251023_093456/checkpoint.json"]);
    expect(first.stderr).toContain("1 of 2 artifacts are not beside the file: research.json");
    expect(first.stderr).toContain("Imported checkpoint.json as run 20251023_093456.");
    expect(first.stderr).toContain("checkpoint resume 20251023_093456 --workflow FILE");
    box.run(["import", "artifacts/20251024_101112/checkpoint.json"]);
    expect(box.json("load", "--trail", "run/20251023_093456")).toMatchObject({
      next_action:
        "Continue with test-master: checkpoint resume 20251023_093456 --workflow FILE (3 of 8 steps done, 37 %). Missing when it was imported: artifacts/20251023_093456/research.json.",
      recent_outputs: [
        { id: "manifest.json", success: true },
        { id: "research.json", action: "missing", success: false },
      ],
    });
    const missing =
      "1 file has been missing since the import, though the steps are done: artifacts/20251023_093456/research.json.";
    expect(box.run(["resume", "20251023_093456", "--dry-run"]).stdout).toContain(missing);
    expect(box.run(["runs", "show", "20251023_093456"]).stdout).toContain(missing);
    for (const command of ["status", "summary"])
      expect(box.run([command, "--trail", "run/20251023_093456"]).stdout).toContain(
        "Missing when it was imported",
      );
    box.write("artifacts/20251023_093456/research.json", "{}");
    expect(box.run(["runs", "show", "20251023_093456"]).stdout).not.toContain(missing);
    const { unfinished } = box.json("resume", "--list") as { unfinished: Record<string, unknown>[] };
    expect(unfinished).toMatchObject([
      { name: "20251024_101112", completed: 3, total: 8, percent: 37, next: "test-master" },
      { name: "20251023_093456", completed: 3, total: 8, percent: 37, next: "test-master" },
    ]);
  });

  it("says that a pipeline is complete, and which of its artifacts lie outside the project", () => {
    const pipeline = {
      version: "2.0",
      workflow_id: "done-1",
      completed_agents:
        "orchestrator researcher planner test-master implementer reviewer security-auditor doc-master".split(
          " ",
        ),
      current_agent: "doc-master",
      artifacts_created: ["manifest.json", "../../../elsewhere.json"],
      metadata: {},
    };
    writeFileSync(join(box.home, "checkpoint.json"), JSON.stringify(pipeline));
    writeFileSync(join(box.home, "manifest.json"), "{}");
    const { stderr } = box.run(["import", "../checkpoint.json"]);
    expect(stderr).toContain(
      "2 of 2 artifacts are outside the project, and are not checked: manifest.json, ../../../elsewhere.json",
    );
    expect(stderr).toContain("All its steps are done.\nTo look at it: checkpoint runs show done-1");
    expect(stderr).not.toContain("To continue");
  });

  it("tells what is wrong with a file, and imports nothing", () => {
    box.write("what.json", '{"hello":"world"}');
    box.write("broken.json", '{"tasks":');
    for (const file of ["what.json", "broken.json", "missing.json", "."])
      expect(box.see("import", file)).toMatchSnapshot();
    expect(existsSync(join(box.folder, ".cairn"))).toBe(false);
  });
});
