import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { StepSource } from "../../src/capabilities/workflow/definition/types.ts";
import { archiveRun } from "../../src/capabilities/workflow/runner/archive.ts";
import { cleanRuns } from "../../src/capabilities/workflow/runner/clean-runs.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import {
  findRuns,
  resumable,
  resumePlan,
  validate,
} from "../../src/capabilities/workflow/runner/find-runs.ts";
import { forkRun } from "../../src/capabilities/workflow/runner/fork-run.ts";
import { listArtifacts } from "../../src/capabilities/workflow/runner/list-artifacts.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { openWorkflows } from "../../src/doors/library/workflow/workflows.ts";
import { newProject, openProject } from "./support/project.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";

const DAY_MS = 86_400_000;
const steps = (...list: StepSource[]) => defineWorkflow({ name: "w", steps: list });
const FIVE = steps(
  ...["one", "two", "three", "four", "five"].map((id) => ({
    id,
    run: `echo ${id} >> log; echo ${id} > ${id}.txt`,
    outputs: [`${id}.txt`],
  })),
);
const FAILING = steps({ id: "a", run: "false" });

describe("keeping runs", () => {
  it("checkpoint pruning: ten steps, the last five stay, the registry names no removed one", async () => {
    const project = await newProject();
    const workflow = steps(
      ...Array.from({ length: 10 }, (_, index) => ({
        id: `s${index}`,
        run: `echo ${index} > f${index}`,
        outputs: [`f${index}`],
      })),
    );
    const run = await startRun(project, workflow, { runId: "r" });
    const left = await project.cairn.trail("run/r").history();
    expect(left).toHaveLength(5);
    expect(Object.keys(run.artifacts)).toHaveLength(10);
    expect(JSON.stringify(run)).not.toContain("ckpt-");
  });

  it("checksum validation: what was saved loads and validates; a corrupted state is an integrity error, archived and never deleted", async () => {
    const project = await newProject();
    const run = await startRun(project, FIVE, { runId: "r" });
    expect(await readRun(project, "r")).toEqual(run);
    expect((await project.cairn.verify()).damage).toEqual([]);
    await project.cairn.close();
    const database = new DatabaseSync(join(project.folder, "store.sqlite"));
    const [table] = database
      .prepare("SELECT name FROM sqlite_master WHERE sql LIKE '%BLOB%' AND name LIKE 'objects%'")
      .all() as { name: string }[];
    const columns = database.prepare(`PRAGMA table_info(${table?.name})`).all() as {
      name: string;
      type: string;
    }[];
    const data = columns.findLast(({ type }) => type === "BLOB")!.name;
    database.exec(
      `UPDATE ${table?.name} SET ${data} = zeroblob(length(${data})) WHERE length(${data}) > 200`,
    );
    database.close();
    const damaged = await openProject(project.root);
    await expect(readRun(damaged, "r")).rejects.toMatchObject({ code: "corrupt" });
    expect(await validate(damaged, "r")).toMatchObject({ verdict: "re-plan", exit_status: 5 });
    expect(await findRuns(damaged)).toMatchObject([{ id: "r", status: "corrupt", can_resume: false }]);
    const { archived_as } = await archiveRun(damaged, "r");
    expect(await archiveRun(damaged, "r")).toMatchObject({ isCorrupt: true, archived_as });
    expect(await findRuns(damaged)).toEqual([]);
    expect(await findRuns(damaged, { archived: true })).toMatchObject([
      { id: "r", status: "corrupt", archived_as, can_resume: false },
    ]);
    expect(existsSync(join(project.folder, "archive"))).toBe(true);
    expect((await damaged.cairn.store.trails({ prefix: "run/" })).map(({ name }) => name)).toEqual(["run/r"]);
  });

  it("workflow integration: a checkpoint after each of five steps", async () => {
    const project = await newProject();
    await startRun(project, FIVE, { runId: "r" });
    const notes = (await project.cairn.trail("run/r").history()).map((info) => info.notes);
    expect(notes).toEqual([
      expect.stringContaining("5/5; done: five"),
      ...["four", "three", "two", "one"].map((id) => expect.stringContaining(`done: ${id}`) as string),
    ]);
  });

  it("resume capability: --resume-step 3 goes on with step 4, the state is restored, the old line stays", async () => {
    const project = await newProject();
    const old = await startRun(project, FIVE, { runId: "r" });
    const { run: fork } = await forkRun(project, "r", { after: 3 });
    expect(fork).toMatchObject({
      id: "r~2",
      status: "paused",
      stale_files: ["four.txt", "five.txt"],
      forked_from: { run: "r", step: "three" },
    });
    expect(await resumePlan(project, "r~2")).toMatchObject({
      completed: ["one", "two", "three"],
      next: "four",
    });
    const run = await resumeRun(project, "r~2", { workflow: FIVE });
    expect(run.status).toBe("completed");
    expect(project.read("log")).toBe("one\ntwo\nthree\nfour\nfive\nfour\nfive\n");
    expect(await readRun(project, "r")).toEqual(old);
    await expect(forkRun(project, "r", { after: "fuor" })).rejects.toMatchObject({
      hint: 'Did you mean "four"?',
    });
    const [first] = (await project.cairn.trail("run/r").history()).slice(-1);
    const { run: early } = await forkRun(project, "r", { from: first!.checkpoint_id });
    expect(await resumePlan(project, early.id)).toMatchObject({ completed: ["one"] });
  });

  it("clean-up: a dry run removes nothing, a real one removes old failed runs with a report", async () => {
    const project = await newProject();
    await startRun(project, FAILING, { runId: "old" });
    await startRun(project, FIVE, { runId: "good" });
    const later = { ...project, now: () => new Date(Date.now() + 8 * DAY_MS) };
    expect((await cleanRuns(project)).removed).toEqual([]);
    expect((await cleanRuns(later, { dryRun: true })).removed).toMatchObject([{ run: "old", workflow: "w" }]);
    expect((await findRuns(project)).map(({ id }) => id).toSorted()).toEqual(["good", "old"]);
    const report = await cleanRuns(later);
    expect(report.removed.map(({ run }) => run)).toEqual(["old"]);
    expect(report.bytes_freed).toBeGreaterThan(0);
    expect(readFileSync(report.report!, "utf8")).toContain("| old | w | failed, last changed 8 days ago |");
    expect((await findRuns(project)).map(({ id }) => id)).toEqual(["good"]);
    expect((await findRuns(project, { archived: true })).map(({ id }) => id).toSorted()).toEqual([
      "good",
      "old",
    ]);
    expect(existsSync(join(project.folder, "runs", "old"))).toBe(false);
  });

  it("leaves the archives of the runs that moved last, and names the others", async () => {
    const project = await newProject();
    const ids = Array.from({ length: 7 }, (_, index) => `r${index}`);
    for (const runId of ids) await startRun(project, FAILING, { runId });
    const later = { ...project, now: () => new Date(Date.now() + 8 * DAY_MS) };
    const { dropped, removed, report } = await cleanRuns(later);
    expect(removed).toHaveLength(7);
    expect(dropped).toEqual(["r0", "r1"]);
    expect(readFileSync(report!, "utf8")).toContain(
      "only the last five archives of every workflow are kept: r0, r1.",
    );
    expect((await findRuns(project, { archived: true })).map(({ id }) => id)).toEqual(
      ids.slice(2).toReversed(),
    );
  });

  it("removes nothing when the report cannot be written", async () => {
    const project = await newProject({ "no-folder": "" });
    await startRun(project, FAILING, { runId: "r" });
    const later = { ...project, now: () => new Date(Date.now() + 8 * DAY_MS) };
    const report = join(project.root, "no-folder", "report.md");
    await expect(cleanRuns(later, { report })).rejects.toThrow("no-folder");
    expect(await findRuns(project)).toMatchObject([{ id: "r", status: "failed" }]);
  });
});

describe("archives", () => {
  it("are named after run and time, and the last five of a workflow stay", async () => {
    const project = await newProject();
    const workflow = steps({ id: "a", run: () => 1 });
    for (let number = 1; number <= 7; number++) await startRun(project, workflow, { runId: `r${number}` });
    const archived = await findRuns(project, { archived: true });
    expect(archived.map(({ id }) => id)).toEqual(["r7", "r6", "r5", "r4", "r3"]);
    expect(archived[0]?.archived_as).toMatch(/^r7_\d{8}-\d{6}$/);
  });

  it("cannot be resumed, but an unfinished run that is archived can be looked at", async () => {
    const project = await newProject();
    await startRun(project, FAILING, { runId: "r" });
    expect(await archiveRun(project, "r")).toMatchObject({ run: "r", isCorrupt: false });
    expect(await resumable(project)).toEqual([]);
    await expect(resumeRun(project, "r", { workflow: FAILING })).rejects.toThrow('Run "r" is archived');
  });
});

describe("artifacts", () => {
  it("that are missing or changed are named with the step that made them, and stop a resume", async () => {
    const project = await newProject();
    const workflow = steps(
      { id: "a", run: "echo a > a.txt; echo b > b.txt", outputs: ["*.txt"] },
      { id: "b", run: "test -e go" },
    );
    await startRun(project, workflow, { runId: "r" });
    project.write("a.txt", "tampered");
    const list = await listArtifacts(project, "r", { verify: true });
    expect(list.artifacts).toMatchObject([
      { path: "a.txt", step: "a", state: "changed", remedy: "checkpoint resume r --redo a" },
      { path: "b.txt", state: "intact" },
    ]);
    await expect(resumeRun(project, "r", { workflow })).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining('"a.txt", made by step "a", has changed since') as string,
    });
    project.write("go", "");
    const { run: fork } = await forkRun(project, "r", { redo: "a" });
    expect((await resumeRun(project, fork.id, { workflow })).status).toBe("completed");
    expect(project.read("a.txt")).toBe("a\n");
  });
});

describe("a changed artifact", () => {
  it("is accepted when a person vouches for it", async () => {
    const project = await newProject();
    const workflow = steps(
      { id: "a", run: "echo a > a.txt", outputs: ["a.txt"] },
      { id: "b", run: "test -e go" },
    );
    await startRun(project, workflow, { runId: "r" });
    project.write("a.txt", "better");
    project.write("go", "");
    await expect(resumeRun(project, "r", { workflow })).rejects.toMatchObject({ code: "conflict" });
    expect((await resumeRun(project, "r", { workflow, acceptChanges: true })).status).toBe("completed");
    expect((await listArtifacts(project, "r", { verify: true })).artifacts).toMatchObject([
      { state: "intact" },
    ]);
  });

  it("does not stop a resume when a step that was under way writes the same file", async () => {
    const project = await newProject();
    const refine = { id: "refine", run: "echo two > plan.txt; test -e go", outputs: ["*.txt"] };
    const workflow = steps({ id: "draft", run: "echo one > plan.txt", outputs: ["plan.txt"] }, refine);
    await startRun(project, workflow, { runId: "r" });
    project.write("go", "");
    const run = await resumeRun(project, "r", { workflow });
    expect(run.status).toBe("completed");
    expect(run.artifacts["plan.txt"]?.step).toBe("refine");
  });
});

describe("an edited definition", () => {
  it("keeps completed steps, with a warning, and takes over the rest", async () => {
    const project = await newProject();
    const before = steps({ id: "a", run: "echo 1 > a.txt" }, { id: "b", run: "false" });
    await startRun(project, before, { runId: "r" });
    const after = steps(
      { id: "a", run: "echo 2 > a.txt" },
      { id: "b", run: "true" },
      { id: "c", run: "true" },
    );
    const warnings: string[] = [];
    const run = await resumeRun(project, "r", {
      workflow: after,
      onResumeCheck: ({ findings }) => warnings.push(...findings.map(({ message }) => message)),
    });
    expect(run.status).toBe("completed");
    expect(warnings).toEqual([
      'Step "a" was edited after it was done: its result is kept.',
      "The workflow was edited since (changed: b; new: c).",
    ]);
    expect(project.read("a.txt")).toBe("1\n");
    expect(stateOf(run, "c").status).toBe("completed");
  });
});

describe("for programs", () => {
  it("offers resumable, validate, resumePlan and resume with their documented fields", async () => {
    const project = await newProject();
    const agents = [
      "orchestrator",
      "researcher",
      "planner",
      "test-master",
      "implementer",
      "reviewer",
      "security-auditor",
      "doc-master",
    ];
    const workflow = defineWorkflow({
      name: "autonomous-dev",
      steps: agents.map((id) => ({
        id,
        run: () =>
          id === "test-master" && !existsSync(join(project.root, "go"))
            ? Promise.reject(new Error("no tests"))
            : id,
      })),
    });
    const workflows = await openWorkflows({ ...project, path: project.folder });
    const told: string[] = [];
    await workflows.run(workflow, {
      runId: "20251023_093456",
      request: "Add login",
      metadata: { error: null },
      onStep: (event) => told.push(`${event.type} ${event.step}`),
      onFailure: (event) => told.push(event.reason),
    });
    expect(told.at(-1)).toBe("Error: no tests");
    expect(await workflows.resumable()).toMatchObject([{ id: "20251023_093456", completed: 3, total: 8 }]);
    expect(await workflows.validate("20251023_093456")).toMatchObject({ verdict: "resume" });
    expect(await workflows.resumePlan("20251023_093456")).toMatchObject({
      workflow_id: "autonomous-dev",
      original_request: "Add login",
      completed: agents.slice(0, 3),
      remaining: agents.slice(3),
      next: "test-master",
      progress_percentage: 37,
      can_resume: true,
      artifacts: [],
      metadata: { error: null },
    });
    project.write("go", "");
    expect((await workflows.resume("20251023_093456", { workflow })).status).toBe("completed");
    expect(await workflows.resume("20251023_093456", { workflow })).toMatchObject({ status: "completed" });
    expect(await workflows.resumePlan("20251023_093456")).toMatchObject({
      can_resume: false,
      progress_percentage: 100,
    });
  });
});
