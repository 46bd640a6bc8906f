import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";

import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import type { StepSource } from "../../src/capabilities/workflow/definition/types.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";
import { cancelRun } from "../../src/capabilities/workflow/runner/cancel-run.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { resumePlan } from "../../src/capabilities/workflow/runner/find-runs.ts";
import { forkRun } from "../../src/capabilities/workflow/runner/fork-run.ts";
import { pauseRun } from "../../src/capabilities/workflow/runner/pause-run.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { sendSignal } from "../../src/capabilities/workflow/runner/send-signal.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { newProject } from "./support/project.ts";

const steps = (...list: StepSource[]) => defineWorkflow({ name: "w", steps: list });
const ORDER = steps(
  { id: "ask", run: "echo asked >> log" },
  { id: "paid", wait: "payment" },
  { id: "ship", if: "results.paid.amount == 12", run: "echo shipped >> log" },
);

type Place = Awaited<ReturnType<typeof newProject>>;
const until = async (project: Place, holds: (run: Awaited<ReturnType<typeof readRun>>) => boolean) => {
  for (let tries = 0; tries < 2_000; tries++) {
    const run = await readRun(project, "r").catch(() => undefined);
    if (run !== undefined && holds(run)) return run;
    await wait(5);
  }
  throw new Error("The run never got there.");
};
const hasLog = ({ root }: Place) => existsSync(join(root, "log"));
const log = ({ root }: Place) => readFileSync(join(root, "log"), "utf8");

describe("a step that waits for a signal", () => {
  it("gets what a signal brings as its result, while its runner waits", async () => {
    const project = await newProject();
    const ended = startRun(project, ORDER, { runId: "r" });
    await until(project, (run) => stateOf(run, "paid").started_at !== undefined);
    expect(await sendSignal(project, "r", { name: "payment", data: { amount: 12 } })).toMatchObject({
      isNew: true,
    });
    const run = await ended;
    expect(run.status).toBe("completed");
    expect(stateOf(run, "paid").result).toEqual({ amount: 12 });
    expect(log(project)).toBe("asked\nshipped\n");
  });

  it("finds a signal that came before it, once, and each step takes one of its own", async () => {
    const project = await newProject();
    const two = steps(
      { id: "first", approve: "Begin?" },
      { id: "a", wait: "ready" },
      { id: "b", wait: "ready" },
    );
    await startRun(project, two, { runId: "r" });
    const send = (id: string, data: number) => sendSignal(project, "r", { name: "ready", data, id });
    expect((await send("e1", 1)).isNew).toBe(true);
    expect((await send("e1", 1)).isNew).toBe(false);
    expect((await send("e2", 2)).isNew).toBe(true);
    await expect(send("e3", 3)).rejects.toMatchObject({ code: "conflict" });
    expect((await readRun(project, "r")).signals?.map(({ id }) => id)).toEqual(["e1", "e2"]);
    const run = await resumeRun(project, "r", {
      onApproval: async () => ({ approved: true, by: "Ada", identity: "given" }),
    });
    expect([stateOf(run, "a").result, stateOf(run, "b").result]).toEqual([1, 2]);
    expect((await send("e1", 1)).isNew).toBe(false);
    await expect(send("e9", 9)).rejects.toMatchObject({
      message: 'Run "r" is completed: it waits for nothing any more.',
    });
  });

  it("never takes a signal without an id for one that has an id", async () => {
    const project = await newProject();
    const two = steps({ id: "a", wait: "ready" }, { id: "b", wait: "ready" });
    await startRun(project, two, { runId: "r", signal: AbortSignal.abort() });
    await sendSignal(project, "r", { name: "ready", data: 1, id: "2" });
    expect((await sendSignal(project, "r", { name: "ready", data: 2 })).isNew).toBe(true);
    const run = await resumeRun(project, "r", { workflow: two });
    expect([stateOf(run, "a").result, stateOf(run, "b").result]).toEqual([1, 2]);
  });

  it("refuses names that no step waits for, with the one that was meant", async () => {
    const project = await newProject();
    await startRun(project, ORDER, { runId: "r", signal: AbortSignal.abort() });
    await expect(sendSignal(project, "r", { name: "paymant" })).rejects.toMatchObject({
      code: "not-found",
      hint: 'Did you mean "payment"?',
    });
    const { steps: planned } = await resumePlan(project, "r");
    expect(planned.slice(1).map(({ id, action }) => [id, action])).toEqual([
      ["paid", "wait"],
      ["ship", "wait"],
    ]);
  });

  it("gives up after its timeout, and waits anew when it is resumed", async () => {
    const project = await newProject();
    const short = steps({ id: "paid", wait: "payment", timeout: "30ms" });
    const failed = await startRun(project, short, { runId: "r" });
    expect([failed.status, stateOf(failed, "paid").reason]).toEqual([
      "failed",
      'No signal "payment" came within 30 ms.',
    ]);
    await sendSignal(project, "r", { name: "payment" });
    expect((await resumeRun(project, "r", { workflow: short })).status).toBe("completed");
  });

  it("keeps its signal when the run is killed, and takes it again in a fork", async () => {
    const project = await newProject();
    await startRun(project, ORDER, { runId: "r", signal: AbortSignal.abort() });
    await sendSignal(project, "r", { name: "payment", data: { amount: 12 } });
    expect((await resumeRun(project, "r", { workflow: ORDER })).status).toBe("completed");
    const fork = await forkRun(project, "r", { after: "ask" });
    const again = await resumeRun(project, fork.run.id, { workflow: ORDER });
    expect([again.status, stateOf(again, "paid").result]).toEqual(["completed", { amount: 12 }]);
  });
});

describe("a run that is paused from elsewhere", () => {
  it("stays cancelled when that comes while its runner stops the steps", async () => {
    const project = await newProject();
    const flow = steps({ id: "slow", run: "trap '' TERM; echo slow >> log; sleep 60" });
    const ended = startRun(project, flow, { runId: "r" });
    await until(project, (run) => stateOf(run, "slow").status === "running" && hasLog(project));
    await pauseRun(project, "r", "Lunch.");
    await wait(500);
    await cancelRun(project, "r");
    expect((await ended).status).toBe("cancelled");
    expect((await readRun(project, "r")).status).toBe("cancelled");
  });

  it("stops its steps, keeps what is completed, and continues when it is resumed", async () => {
    const project = await newProject();
    const flow = steps(
      { id: "quick", run: "echo quick >> log" },
      { id: "slow", run: "echo slow >> log; test $CAIRN_ATTEMPT -ge 2 || sleep 60" },
    );
    const ended = startRun(project, flow, { runId: "r" });
    await until(project, (run) => stateOf(run, "slow").status === "running" && log(project).includes("slow"));
    await pauseRun(project, "r", "Lunch.");
    const paused = await ended;
    expect([paused.status, paused.reason, stateOf(paused, "slow").status]).toEqual([
      "paused",
      "Lunch.",
      "pending",
    ]);
    expect(await pauseRun(project, "r", "Again.")).toMatchObject({ status: "paused", reason: "Lunch." });
    expect((await resumeRun(project, "r", { workflow: flow })).status).toBe("completed");
    expect(log(project)).toBe("quick\nslow\nslow\n");
    await expect(pauseRun(project, "r", "Late.")).rejects.toMatchObject({ code: "conflict" });
  });
});
