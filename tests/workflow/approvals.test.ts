import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { StepSource } from "../../src/capabilities/workflow/definition/types.ts";
import type { RunEvent } from "../../src/capabilities/workflow/run/events.ts";
import { cancelRun } from "../../src/capabilities/workflow/runner/cancel-run.ts";
import { decideRun, type DecideOptions } from "../../src/capabilities/workflow/runner/decide-run.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { until } from "../cli/support/until.ts";
import { newProject } from "./support/project.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";

const BY = { by: "ann", identity: "given" } as const;
const yes: DecideOptions = { approved: true, ...BY };
const steps = (...list: StepSource[]) => defineWorkflow({ name: "w", steps: list });
const PLAN = steps(
  { id: "plan", run: "printf one > plan.txt", outputs: ["plan.txt"] },
  { id: "ship", approve: "Ship it?" },
  { id: "build", run: "cp plan.txt built.txt" },
);

describe("an approval", () => {
  it("comes from any terminal, without a runner, and records who, how that is known, and what was approved", async () => {
    const project = await newProject();
    expect((await startRun(project, PLAN, { runId: "r" })).status).toBe("awaiting_approval");
    const { decision, changed } = await decideRun(await project.another(), "r", { ...yes, reason: "fine" });
    expect(decision).toMatchObject({ approved: true, by: "ann", identity: "given", reason: "fine" });
    expect(decision.digest).toMatch(/^[0-9a-f]{16}$/);
    expect(changed).toEqual([]);
    expect((await resumeRun(project, "r", { workflow: PLAN })).status).toBe("completed");
    expect(project.read("built.txt")).toBe("one");
  });

  it("reaches a runner that waits", async () => {
    const project = await newProject();
    const running = startRun(project, PLAN, { runId: "r", waitForApproval: true });
    const other = await project.another();
    await until(
      "it waits",
      async () =>
        (await other.cairn.store.head("run/r")) !== undefined &&
        (await readRun(other, "r")).status === "awaiting_approval",
    );
    await decideRun(other, "r", yes);
    expect((await running).status).toBe("completed");
  });

  it("is told once, however often the run is read again", async () => {
    const project = await newProject();
    const workflow = steps(
      { id: "one", needs: [], approve: "One?" },
      { id: "two", needs: [], approve: "Two?" },
      { id: "after", needs: ["one"], run: "true" },
    );
    const told: string[] = [];
    const onEvent = (event: RunEvent) => {
      if (event.type === "approval-decided") told.push(event.step);
    };
    const running = startRun(project, workflow, { runId: "r", waitForApproval: true, onEvent });
    const other = await project.another();
    const isDone = async (step: string, status: string) =>
      (await other.cairn.store.head("run/r")) !== undefined &&
      stateOf(await readRun(other, "r"), step).status === status;
    await until("the second waits", () => isDone("two", "awaiting_approval"));
    await decideRun(other, "r", { ...yes, step: "one" });
    await until("what follows the first is done", () => isDone("after", "completed"));
    await decideRun(other, "r", { ...yes, step: "two" });
    expect((await running).status).toBe("completed");
    expect(told).toEqual(["one", "two"]);
  });

  it("is given by a program that is asked", async () => {
    const project = await newProject();
    const run = await startRun(project, PLAN, {
      onApproval: async ({ question }) => ({ approved: true, by: question, identity: "program" }),
    });
    expect(stateOf(run, "ship").decision?.by).toBe("Ship it?");
    const open = await startRun(project, PLAN, { onApproval: async () => undefined });
    expect(open.status).toBe("awaiting_approval");
  });

  it("is asked again when what was approved has changed before anything was built on it", async () => {
    const project = await newProject();
    await startRun(project, PLAN, { runId: "r" });
    await decideRun(project, "r", yes);
    project.write("plan.txt", "two");
    expect((await resumeRun(project, "r", { workflow: PLAN })).status).toBe("awaiting_approval");
    const { changed } = await decideRun(project, "r", yes);
    expect(changed.map(({ path }) => path)).toEqual(["plan.txt"]);
    expect((await resumeRun(project, "r", { workflow: PLAN })).status).toBe("completed");
    expect(project.read("built.txt")).toBe("two");
  });

  it("that is refused fails the step with the reason; a resume asks again", async () => {
    const project = await newProject();
    await startRun(project, PLAN, { runId: "r" });
    await decideRun(project, "r", { approved: false, ...BY, reason: "too risky" });
    const again = await resumeRun(project, "r", { workflow: PLAN, isExplicit: false });
    expect(again).toMatchObject({
      status: "failed",
      reason: 'Step "ship" failed: Rejected by ann: too risky.',
    });
    expect((await resumeRun(project, "r", { workflow: PLAN })).status).toBe("awaiting_approval");
  });

  it("is no longer taken once the run is cancelled", async () => {
    const project = await newProject();
    await startRun(project, PLAN, { runId: "r" });
    await cancelRun(project, "r");
    for (const step of [undefined, "ship"])
      await expect(decideRun(project, "r", { ...yes, step })).rejects.toMatchObject({
        code: "conflict",
        message: 'Run "r" is cancelled: it waits for no decision.',
      });
  });

  it("wants one of its options, and is decided once", async () => {
    const project = await newProject();
    const workflow = steps({ id: "pick", approve: { question: "Which?", options: ["a", "b"] } });
    await startRun(project, workflow, { runId: "r" });
    await expect(decideRun(project, "r", yes)).rejects.toThrow('"Which?" wants one of: a, b.');
    await expect(decideRun(project, "r", { ...yes, option: "c" })).rejects.toThrow(
      '"c" is not an option of "pick".',
    );
    await expect(decideRun(project, "r", { ...yes, step: "nope" })).rejects.toMatchObject({
      code: "not-found",
    });
    const both = await Promise.allSettled([
      decideRun(project, "r", { ...yes, option: "a" }),
      decideRun(await project.another(), "r", { ...yes, option: "b" }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(decideRun(project, "nope", yes)).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("cancel", () => {
  it("stops a live runner and what it started, for good", async () => {
    const project = await newProject();
    const workflow = steps(
      { id: "a", run: "echo x > started.txt; sleep 30; echo never > never.txt" },
      { id: "b", run: "true" },
    );
    const started = Promise.withResolvers<void>();
    const running = startRun(project, workflow, {
      runId: "r",
      onEvent: ({ type }) => type === "step-started" && started.resolve(),
    });
    await started.promise;
    await cancelRun(await project.another(), "r", { reason: "not needed" });
    expect(await running).toMatchObject({ status: "cancelled", reason: "not needed" });
    await expect(resumeRun(project, "r", { workflow })).rejects.toThrow(
      'Run "r" is cancelled: it cannot be resumed.',
    );
    expect(() => project.read("never.txt")).toThrow("ENOENT");
  });
});
