import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openCairn } from "../../src/work/state/cairn.ts";
import { isInside, recordedPath } from "../../src/work/machine/recorded-path.ts";
import { win32 } from "node:path";
import { removable } from "../../src/capabilities/workflow/run/retention.ts";
import { makeRun } from "../cli/support/runs.ts";
import type { Sandbox } from "../cli/support/sandbox.ts";
import { different, done, seed, shows } from "./support/promises.ts";

/** Five steps, each of which leaves a mark every time that it runs. */
const FIVE = `name: five
steps:
${[1, 2, 3, 4, 5]
  .map(
    (n) =>
      `  - id: s${n}\n    run: "echo ${n} >> ran; echo ${n} > out${n}; test ! -f stop-at-${n}"\n    outputs: [out${n}]\n`,
  )
  .join("")}`;

const ran = (box: Sandbox) => readFileSync(join(box.folder, "ran"), "utf8").trim().split("\n").join(" ");

function stoppedAt(box: Sandbox, step: number): void {
  box.write("five.yaml", FIVE);
  box.write(`stop-at-${step}`, "");
  expect(box.run(["run", "five.yaml", "--run-id", "f-1"]).status).toBe(1);
  rmSync(join(box.folder, `stop-at-${step}`));
}

const triggers = (box: Sandbox) =>
  (box.json("list", "--trail", "run/f-1", "--limit", "50")["checkpoints"] as { trigger: string }[]).map(
    ({ trigger }) => trigger,
  );

seed(
  "seed 002, Checkpoint System Orchestration Report",
  {
    "Existing Implementation": [
      shows("createCheckpoint(runId, step, stepState): checkpoint at step boundary", (box) => {
        box.write("five.yaml", FIVE);
        done(box, ["run", "five.yaml", "--run-id", "f-1"]);
        expect(triggers(box).filter((trigger) => trigger === "step").length).toBeGreaterThanOrEqual(4);
      }),
      shows("restoreFromCheckpoint(runId, checkpointId)", (box) => {
        stoppedAt(box, 4);
        const list = box.json("list", "--trail", "run/f-1")["checkpoints"] as { checkpoint_id: string }[];
        done(box, ["resume", "--from", list[1]!.checkpoint_id]);
        expect(box.json("runs", "show", "f-1~2")["run"]).toMatchObject({ status: "completed" });
      }),
      shows("listCheckpoints(runId)", (box) => {
        box.write("five.yaml", FIVE);
        done(box, ["run", "five.yaml", "--run-id", "f-1"]);
        expect(triggers(box).length).toBeGreaterThan(1);
      }),
      shows("Checkpoint registration in artifact registry", (box) => {
        stoppedAt(box, 3);
        expect(box.json("artifacts", "f-1")["artifacts"]).toMatchObject([
          { path: "out1", step: "s1" },
          { path: "out2", step: "s2" },
        ]);
      }),
      shows("Artifacts registered by hand", (box) => {
        stoppedAt(box, 3);
        box.write("notes/plan.md", "plan");
        expect(done(box, ["artifacts", "add", "f-1", "notes/plan.md", "--step", "s1"])).toContain(
          "notes/plan.md",
        );
        expect(box.json("artifacts", "f-1", "--verify")).toMatchObject({ ok: true });
        box.write("notes/plan.md", "another");
        expect(box.run(["artifacts", "f-1", "--verify"]).status).toBe(6);
        expect(box.run(["resume", "f-1"]).status).toBe(6);
        expect(box.see("artifacts", "add", "f-1", "nowhere.md")).toContain('There is no file "nowhere.md"');
        expect(box.run(["artifacts", "add", "f-1", "../project/../outside"]).status).toBe(2);
      }),
      shows("Recovery instructions included in checkpoint data", (box) => {
        stoppedAt(box, 3);
        const [newest] = box.json("list", "--trail", "run/f-1")["checkpoints"] as { notes: string }[];
        expect(newest?.notes).toContain("checkpoint resume f-1");
      }),
      shows("CLI interface for create/restore/list operations", (box) => {
        const first = done(box, ["now"]).trim();
        done(box, ["set", "a", "1"], ["restore", first], ["list"]);
        expect(box.json("load")["variables"]).toEqual({});
      }),
    ],
    "Task 8.1: Checkpoint Creation": [
      shows("Automatic checkpoint pruning (keep last 5)", async (box) => {
        await makeRun(
          box,
          {
            name: "long",
            steps: Array.from({ length: 10 }, (_, n) => ({ id: `s${n}`, run: () => n })),
          },
          { runId: "long-1" },
        );
        const cairn = await openCairn({ path: join(box.folder, ".cairn") });
        const left = await cairn.trail("run/long-1").history();
        await cairn.close();
        expect(removable(left)).toEqual([]);
        expect(left.filter(({ trigger }) => trigger === "step").length).toBeLessThanOrEqual(6);
      }),
      shows("Checksum validation for integrity: a corrupted checkpoint is refused on restore", (box) => {
        const document = JSON.parse(done(box, ["now", "--json"])) as Record<string, unknown>;
        const { status, stderr } = box.run(["import", "-"], {
          input: JSON.stringify({ ...document, goal: "changed by hand" }),
        });
        expect(status).toBe(5);
        expect(stderr).toContain("content_hash");
      }),
      shows("Checkpoint creation after each successful step of the workflow runner", (box) => {
        stoppedAt(box, 3);
        expect(box.json("runs", "show", "f-1")["run"]).toMatchObject({ completed: 2, total: 5 });
      }),
    ],
    "Task 8.2: Resume Capability": [
      shows("--resume flag: start from checkpoint.step + 1", (box) => {
        stoppedAt(box, 3);
        done(box, ["run", "five.yaml", "--resume"]);
        expect(ran(box)).toBe("1 2 3 3 4 5");
      }),
      shows("--resume --resume-step 3: continues from step 4, in a new run, and says why", (box) => {
        box.write("five.yaml", FIVE);
        done(box, ["run", "five.yaml", "--run-id", "f-1"]);
        const { stderr, status } = box.run(["resume", "f-1", "--resume-step", "3"]);
        expect(status).toBe(0);
        expect(stderr).toContain(
          "This is a new run, f-1~2, forked from f-1: what that one did stays on record, so it is not changed.",
        );
        expect(ran(box)).toBe("1 2 3 4 5 4 5");
        expect(box.json("runs", "show", "f-1")["run"]).toMatchObject({ status: "completed" });
      }),
      shows("Automatic state restoration on resume: run state and artifact registry", (box) => {
        stoppedAt(box, 3);
        done(box, ["resume", "f-1"]);
        expect(box.json("artifacts", "f-1", "--verify")).toMatchObject({ ok: true, verified: true });
      }),
    ],
    "Task 8.3: Cleanup Tool": [
      shows("Failed runs older than 7 days; --dry-run deletes nothing", async (box) => {
        await failed(box, "2026-01-01T00:00:00.000Z");
        const { removed, report } = box.json("clean", "--dry-run");
        expect([removed, report]).toMatchObject([[{ run: "old-1" }], null]);
        expect(box.json("runs")["runs"]).toHaveLength(1);
      }),
      shows("--max-age-days; a younger run stays", async (box) => {
        await failed(box, "2026-01-20T00:00:00.000Z");
        expect(box.json("clean", "--yes")["removed"]).toEqual([]);
        expect(box.json("clean", "--max-age-days", "2", "--yes")["removed"]).toMatchObject([
          { run: "old-1" },
        ]);
      }),
      shows("Cleanup report generated", async (box) => {
        await failed(box, "2026-01-01T00:00:00.000Z");
        done(box, ["clean", "--yes"]);
        const [name = ""] = readdirSync(join(box.folder, ".cairn/reports"));
        expect(readFileSync(join(box.folder, ".cairn/reports", name), "utf8")).toContain("old-1");
      }),
      different(
        "Delete run directories (including checkpoints)",
        "a run is archived first and its state stays until there are 5 newer archives: archive, don't delete (seed 004)",
      ),
    ],
    "Path handling (Windows compatibility)": [
      shows("Recorded paths use / and lead out of the project only where they do", () => {
        expect(recordedPath("C:\\app", "C:\\app\\docs\\a.md", win32)).toBe("docs/a.md");
        expect(isInside("C:\\app", "D:\\app\\a.md", win32)).toBe(false);
      }),
    ],
    "File Location Compliance": [
      shows("No root directory violations: everything is below .cairn", (box) => {
        done(box, ["now"], ["task", "add", "One"], ["prune", "--keep", "1"]);
        expect(readdirSync(box.folder)).toEqual([".cairn"]);
        expect(existsSync(join(box.folder, ".claude"))).toBe(false);
      }),
    ],
  },
  { shown: 18, different: 1 },
);

/** A run that failed on this day. */
async function failed(box: Sandbox, now: string): Promise<void> {
  const run = () => {
    throw new Error("no");
  };
  await makeRun(box, { name: "old", steps: [{ id: "a", run }] }, { runId: "old-1", now });
}
