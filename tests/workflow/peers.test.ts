import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { StepSource } from "../../src/capabilities/workflow/definition/types.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { forkRun } from "../../src/capabilities/workflow/runner/fork-run.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { newProject } from "./support/project.ts";

const steps = (...list: StepSource[]) => defineWorkflow({ name: "w", steps: list });

/** Bugs that others had. Those about crashes are in recovery.test.ts and crash.test.ts. */
describe("a bug that somebody else had", () => {
  it("agent-studio: restoring a checkpoint spread the old record over the restored step and status", async () => {
    const project = await newProject();
    const workflow = steps(...["a", "b", "c"].map((id) => ({ id, run: () => id })));
    await startRun(project, workflow, { runId: "r" });
    const history = await project.cairn.trail("run/r").history();
    const afterA = history.find(({ notes }) => notes?.includes("done: a"))!;
    const { run: fork } = await forkRun(project, "r", { from: afterA.checkpoint_id });
    expect(fork.status).toBe("paused");
    expect(fork.steps.map(({ id, status }) => [id, status])).toEqual([
      ["a", "completed"],
      ["b", "pending"],
    ]);
    expect((await readRun(project, "r")).status).toBe("completed");
  });

  it("conclave: after a crash in a review the draft goes to the reviewers, the writer does not write it again", async () => {
    const project = await newProject();
    const review = {
      reviewers: ["one", "two"],
      run: 'echo "$CAIRN_REVIEWER" >> log; test -e go || test "$CAIRN_REVIEWER" = one',
    };
    const workflow = steps({ id: "write", run: "echo write >> log" }, { id: "review", review });
    expect((await startRun(project, workflow, { runId: "r" })).status).toBe("failed");
    project.write("go", "");
    expect((await resumeRun(project, "r", { workflow })).status).toBe("completed");
    expect(project.read("log").trim().split("\n").toSorted()).toEqual(["one", "two", "two", "write"]);
  });

  it("autonomous-dev: progress was counted against eight agents whatever the workflow was", async () => {
    const project = await newProject();
    const workflow = steps({ id: "a", run: () => 1 }, { id: "b", approve: "Go?" });
    await startRun(project, workflow, { runId: "r" });
    expect((await project.cairn.trail("run/r").load()).state.next_action).toContain(
      "1 of 2 steps done, 50 %",
    );
  });

  it("autonomous-dev: a run that is not there was answered with an empty plan", async () => {
    const project = await newProject();
    await expect(readRun(project, "gone")).rejects.toMatchObject({
      code: "not-found",
      hint: "checkpoint runs",
    });
  });

  it("conclave: nobody said how to resume, or with which flags", async () => {
    const project = await newProject();
    const run = await startRun(project, steps({ id: "a", run: "exit 1" }), { runId: "r" });
    const { notes, state } = await project.cairn.trail("run/r").load();
    expect([notes, state.next_action]).toEqual([
      expect.stringContaining("checkpoint resume r"),
      expect.stringContaining("checkpoint resume r"),
    ]);
    expect(run.inputs).toEqual({});
  });

  it("langgraph: steps written by one program were lost when another resumed without their code", async () => {
    const project = await newProject();
    const workflow = steps({ id: "a", run: () => Promise.reject(new Error("no")) });
    await startRun(project, workflow, { runId: "r" });
    await expect(resumeRun(project, "r")).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("their code is not here") as string,
    });
  });
});
