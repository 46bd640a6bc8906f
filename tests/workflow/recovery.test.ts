import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";

import {
  attemptFolder,
  readClaim,
  readStatus,
} from "../../src/capabilities/workflow/engine/attempt-folder.ts";
import { defineWorkflow } from "../../src/capabilities/workflow/definition/define-workflow.ts";
import { loadWorkflow } from "../../src/capabilities/workflow/definition/load-workflow.ts";
import type { RunEvent } from "../../src/capabilities/workflow/run/events.ts";
import { decideRun } from "../../src/capabilities/workflow/runner/decide-run.ts";
import { readRun } from "../../src/capabilities/workflow/runner/examine-run.ts";
import { findRuns, resumePlan } from "../../src/capabilities/workflow/runner/find-runs.ts";
import { resumeRun } from "../../src/capabilities/workflow/runner/resume-run.ts";
import { startRun } from "../../src/capabilities/workflow/runner/start-run.ts";
import { isLocked } from "../../src/capabilities/workflow/runner/run-lock.ts";
import { runFolder } from "../../src/capabilities/workflow/runner/run-folder.ts";
import { until } from "../cli/support/until.ts";
import { bundleFile } from "../faults/support/program.ts";
import { newProject, type Project } from "./support/project.ts";
import { stateOf } from "../../src/capabilities/workflow/run/run-state.ts";

const bundled = mkdtempSync(join(tmpdir(), "cairn-recovery-"));
const program = bundleFile(join(import.meta.dirname, "programs/run-file.ts"), bundled);
const children: ChildProcess[] = [];
afterAll(() => rmSync(bundled, { recursive: true, force: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** Runs w.yaml of the project as run `r` in a process of its own. */
function runner(project: Project, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [program, project.root, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

const has = (project: Project, path: string) => existsSync(join(project.root, path));
const attempt = (project: Project, step: string, number = 1) =>
  attemptFolder(runFolder(project, "r"), step, number);

/** Ends the command of a step as a power cut would: without a word. */
function killStep(project: Project, step: string): void {
  const started = readClaim(attempt(project, step));
  if (started.kind !== "started") throw new Error("It has not started.");
  process.kill(-started.identity.pid, "SIGKILL");
}

describe("Scenario 1: Ctrl-C during a subagent, no output file", () => {
  it("counts an attempt more and runs the step again, without using up its retries", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; test -e go || sleep 30; echo out > out.txt', outputs: [out.txt] }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts") && project.read("starts") === "x\n");
    await kill(child);
    killStep(project, "a");
    project.write("go", "");
    await until("nobody runs it", async () => (await findRuns(project))[0]?.status === "interrupted");
    const run = await resumeRun(project, "r");
    expect(run.status).toBe("completed");
    expect(stateOf(run, "a")).toMatchObject({ attempt: 2, crashes: 1, failures: 0 });
    expect(project.read("starts")).toBe("x\nx\n");
  });
});

describe("Scenario 2: crash after the output was written, before the state was updated", () => {
  it("adopts a result whose command ended well while nobody watched", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; while ! test -e go; do sleep 0.01; done; echo out > out.txt', outputs: [out.txt] }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts"));
    await kill(child);
    project.write("go", "");
    await until("the step has ended", () => readStatus(attempt(project, "a")) !== undefined);
    const run = await resumeRun(project, "r");
    expect(stateOf(run, "a")).toMatchObject({ status: "completed", attempt: 1, adopted: true });
    expect(Object.keys(run.artifacts)).toEqual(["out.txt"]);
    expect(project.read("starts")).toBe("x\n");
  });

  it("adopts an output without a status only if its verify passes and it is newer than the attempt", async () => {
    const definition = (verify: string) =>
      `name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; echo out > out.txt; test -e go || sleep 30', outputs: [out.txt]${verify} }\n`;
    const crashed = async (verify: string, prepare: (project: Project) => void = () => undefined) => {
      const project = await newProject({ "w.yaml": definition(verify) });
      const child = runner(project);
      await until("the output is there", () => has(project, "out.txt") && project.read("out.txt") !== "");
      await kill(child);
      killStep(project, "a");
      project.write("go", "");
      prepare(project);
      return stateOf(await resumeRun(project, "r"), "a");
    };
    expect(await crashed(", verify: 'grep -q out out.txt'")).toMatchObject({ attempt: 1, adopted: true });
    expect(await crashed("")).toMatchObject({ attempt: 2, status: "completed" });
    const old = (project: Project) => utimesSync(join(project.root, "out.txt"), 1, 1);
    expect(await crashed(", verify: 'grep -q out out.txt'", old)).toMatchObject({ attempt: 2 });
  });
});

describe("Scenario 3: interrupted during user approval", () => {
  it("asks the same question with the same options again, and runs nothing again", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: design, run: 'echo x >> starts' }\n  - { id: choose, approve: { question: 'Which design?', options: [a, b] } }\n  - { id: build, run: 'cat $CAIRN_RESULTS > built' }\n",
    });
    const child = runner(project, "--wait");
    await until(
      "it waits",
      async () =>
        (await project.cairn.store.head("run/r")) !== undefined &&
        (await readRun(project, "r")).status === "awaiting_approval",
    );
    await kill(child);
    const asked: RunEvent[] = [];
    const again = await resumeRun(project, "r", { onEvent: (event) => asked.push(event) });
    expect(again.status).toBe("awaiting_approval");
    expect(await resumePlan(project, "r")).toMatchObject({
      completed: ["design"],
      next: "choose",
      steps: [{}, { action: "ask" }, { action: "wait" }],
    });
    await decideRun(await project.another(), "r", {
      approved: true,
      option: "b",
      by: "ann",
      identity: "given",
    });
    const run = await resumeRun(project, "r");
    expect(run.status).toBe("completed");
    expect(project.read("starts")).toBe("x\n");
    expect(JSON.parse(project.read("built"))).toMatchObject({
      choose: { approved: true, option: "b", by: "ann" },
    });
  });
});

describe("Scenario 4: ancient state", () => {
  it("warns, offers to archive, and goes on", async () => {
    const project = await newProject();
    const workflow = defineWorkflow({ name: "w", steps: [{ id: "a", approve: "Go?" }] });
    await startRun(project, workflow, { runId: "r" });
    const later = { ...project, now: () => new Date(Date.now() + 8 * 86_400_000) };
    const { resume_check } = await resumePlan(later, "r");
    expect(resume_check).toMatchObject({
      verdict: "resume with warnings",
      findings: [{ check: "age", remedy: "To start afresh instead: checkpoint archive r" }],
    });
    expect((await resumeRun(later, "r")).status).toBe("awaiting_approval");
  });
});

describe("a command that still runs when its runner is gone", () => {
  it("is re-attached: it is not started twice", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; while ! test -e go; do sleep 0.01; done; echo done > out.txt', outputs: [out.txt] }\n  - { id: b, run: 'cp out.txt b.txt' }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts"));
    await kill(child);
    const resumed = resumeRun(project, "r", {
      onEvent: (event) => void (event.type === "step-started" && event.reattached && project.write("go", "")),
    });
    expect((await resumed).status).toBe("completed");
    expect(project.read("starts")).toBe("x\n");
    expect(stateOf(await readRun(project, "r"), "a")).toMatchObject({ attempt: 1, crashes: 0 });
  });

  it("is judged by what it left when it dies without a status, as if it had died before the resume", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; echo out > out.txt; sleep 30', outputs: [out.txt], verify: 'grep -q out out.txt' }\n",
    });
    const child = runner(project);
    await until("the output is there", () => has(project, "out.txt") && project.read("out.txt") !== "");
    await kill(child);
    const run = await resumeRun(project, "r", {
      onEvent: (event) => void (event.type === "step-started" && event.reattached && killStep(project, "a")),
    });
    expect(stateOf(run, "a")).toMatchObject({ status: "completed", attempt: 1, adopted: true });
    expect(project.read("starts")).toBe("x\n");
  });

  it("is ended first when that is asked for", async () => {
    const project = await newProject({
      "w.yaml": "name: w\nsteps:\n  - { id: a, run: 'test -e go && exit; echo x >> starts; sleep 30' }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts"));
    await kill(child);
    project.write("go", "");
    const run = await resumeRun(project, "r", { killOrphans: true });
    expect(stateOf(run, "a")).toMatchObject({ status: "completed", attempt: 2 });
  });
});

describe("crashed parallel branches", () => {
  it("only run where they were not finished", async () => {
    const branch = (id: string) =>
      `  - { id: ${id}, needs: [], run: 'echo ${id} >> starts; test ${id} = a || test -e go || sleep 30' }\n`;
    const project = await newProject({
      "w.yaml": `name: w\nsteps:\n${["a", "b", "c"].map(branch).join("")}`,
    });
    const child = runner(project);
    await until(
      "the second step runs",
      async () =>
        has(project, "starts") &&
        project.read("starts").split("\n").length > 3 &&
        stateOf(await readRun(project, "r"), "a").status === "completed",
    );
    await kill(child);
    killStep(project, "b");
    killStep(project, "c");
    project.write("go", "");
    const run = await resumeRun(project, "r");
    expect(run.status).toBe("completed");
    expect(project.read("starts").trim().split("\n").toSorted()).toEqual(["a", "b", "b", "c", "c"]);
  });
});

describe("the lock of a run", () => {
  it("is held while the runner lives, also against a second one, and is free after kill -9 although its command lives on", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; while ! test -e go; do sleep 0.01; done' }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts"));
    expect(isLocked(runFolder(project, "r"), 1)).toBe(true);
    await expect(resumeRun(project, "r")).rejects.toMatchObject({
      code: "conflict",
      hint: expect.stringContaining("--take-over") as string,
    });
    expect((await findRuns(project))[0]?.status).toBe("running");
    await kill(child);
    expect(isLocked(runFolder(project, "r"), 1)).toBe(false);
    expect((await findRuns(project))[0]?.status).toBe("interrupted");
    project.write("go", "");
    expect((await resumeRun(project, "r")).status).toBe("completed");
  });

  it("can be taken over from a frozen runner, which changes nothing any more when it wakes", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; while ! test -e go; do sleep 0.01; done' }\n  - { id: b, run: 'echo b >> starts' }\n",
    });
    const child = runner(project);
    await until("the step runs", () => has(project, "starts"));
    child.kill("SIGSTOP");
    project.write("go", "");
    await expect(resumeRun(project, "r")).rejects.toMatchObject({ code: "conflict" });
    const run = await resumeRun(project, "r", { takeOver: true });
    expect(run).toMatchObject({ status: "completed", epoch: 2 });
    const said: string[] = [];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => said.push(text));
    child.kill("SIGCONT");
    await once(child, "close");
    expect(said.join("")).toContain('Run "r" was taken over');
    expect(project.read("starts")).toBe("x\nb\n");
    expect(await readRun(project, "r")).toEqual(run);
  });
});

describe("Ctrl-C", () => {
  it("ends what runs, with its children, pauses the run, and a resume goes on", async () => {
    const project = await newProject({
      "w.yaml":
        "name: w\nsteps:\n  - { id: a, run: 'echo x >> starts; test -e go || { sleep 30; echo never > never.txt; }' }\n",
    });
    const stop = new AbortController();
    const running = startRun(project, await loadWorkflow("w.yaml", { cwd: project.root }), {
      runId: "r",
      signal: stop.signal,
    });
    await until("the step runs", () => has(project, "starts"));
    stop.abort();
    const paused = await running;
    expect(paused).toMatchObject({ status: "paused", reason: "Stopped with Ctrl-C." });
    project.write("go", "");
    const run = await resumeRun(project, "r");
    expect(stateOf(run, "a")).toMatchObject({ status: "completed", attempt: 2, crashes: 0, failures: 0 });
    expect(has(project, "never.txt")).toBe(false);
  });
});

describe("a command that is ended", () => {
  it("has time for its goodbye", async () => {
    const project = await newProject();
    const run =
      "trap 'sleep 0.2; echo bye > bye.txt; exit 0' TERM; echo x > started.txt; while :; do sleep 0.02; done";
    const stop = new AbortController();
    const running = startRun(project, defineWorkflow({ name: "w", steps: [{ id: "a", run }] }), {
      signal: stop.signal,
    });
    await until("the step runs", () => has(project, "started.txt"));
    stop.abort();
    expect((await running).status).not.toBe("running");
    expect(project.read("bye.txt")).toBe("bye\n");
  });
});

describe("an attempt that another runner has revoked", () => {
  it("never starts its command, even if its runner wakes between its commit and the start", async () => {
    const project = await newProject();
    const { path } = attempt(project, "a");
    const { revokeOrRead } = await import("../../src/capabilities/workflow/engine/attempt-folder.ts");
    const { wrapped } = await import("../../src/capabilities/workflow/engine/wrapper.ts");
    expect(revokeOrRead(attempt(project, "a"))).toEqual({ kind: "never" });
    const [command, ...args] = wrapped("echo x > ran.txt", path);
    const child = spawn(command, args, { cwd: project.root });
    const [code] = (await once(child, "exit")) as [number];
    expect(code).toBe(75);
    expect(has(project, "ran.txt")).toBe(false);
    expect(readFileSync(join(path, "started"), "utf8")).toBe("revoked\n");
  });
});
