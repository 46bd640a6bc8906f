// One measurement in a process of its own, as small as a runner is when it starts: in a large one every spawn, and every page
// that is touched after it, costs more. Says microseconds: node workflow-runner.ts FOLDER functionSteps
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { WorkflowContext } from "../src/capabilities/workflow/context.ts";
import { say } from "./children.ts";
import { median } from "./measure.ts";
import {
  beginning,
  chain,
  eachStep,
  ending,
  finish,
  intervals,
  LONG_RUN,
  openProject,
  type OnEvent,
} from "./workflow-flows.ts";
import { decideRun, resumeRun, startRun } from "./workflow-library.ts";

export interface Times {
  readonly functionSteps: { readonly step: number; readonly commit: number };
  readonly commandSteps: { readonly step: number; readonly spawn: number; readonly commit: number };
  readonly growth: readonly { readonly steps: number; readonly wall: number }[];
  readonly resuming: { readonly resumed: number; readonly fresh: number };
}

const ROUNDS = 12;
/** So many that thinning the run's checkpoints is among them. */
const FUNCTION_STEPS = 250;
const COMMAND_STEPS = 20;
const LENGTHS = [125, 250, 500, LONG_RUN];
const LENGTH_ROUNDS = 5;
const STARTS = 12;

const [parent = ".", name = ""] = process.argv.slice(2);
const newFolder = () => mkdtempSync(join(parent, "workflow-"));
/** What a function step costs, beside as many commits. */
async function functionSteps() {
  const { project, commitPlain } = await openPlain();
  const flow = chain("call", FUNCTION_STEPS);
  const commits: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const commit = await each(FUNCTION_STEPS, commitPlain);
    const step = await eachStep(project, flow, `call-${round}`);
    // The first round makes files and compiled code.
    if (round === 0) continue;
    commits.push(commit);
    steps.push(step);
  }
  await project.cairn.close();
  return { step: median(steps), commit: median(commits) };
}

/** What a command step costs. A commit is measured in turn with bare spawns, which leave the caches as cold as a step does. */
async function commandSteps() {
  const { project, commitPlain } = await openPlain();
  const flow = chain("command", COMMAND_STEPS, "true");
  const commits: number[] = [];
  const spawns: number[] = [];
  const steps: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    for (let done = 0; done < COMMAND_STEPS; done++) {
      commits.push(await each(1, commitPlain));
      spawns.push(await each(1, bareSpawn));
    }
    steps.push(...(await intervals(project, flow, `command-${round}`)));
  }
  await project.cairn.close();
  return {
    step: median(steps.slice(COMMAND_STEPS)),
    spawn: median(spawns.slice(COMMAND_STEPS)),
    commit: median(commits.slice(COMMAND_STEPS)),
  };
}

/** Whole runs, from the start to the last tidying up. */
async function growth() {
  const walls = new Map(LENGTHS.map((length) => [length, [] as number[]]));
  for (let round = 0; round <= LENGTH_ROUNDS; round++) {
    for (const length of LENGTHS) {
      const project = await openProject(newFolder());
      const started = performance.now();
      await finish(project, chain("long", length), { runId: "long" });
      if (round > 0) walls.get(length)?.push((performance.now() - started) * 1000);
      await project.cairn.close();
      rmSync(project.root, { recursive: true });
    }
  }
  return LENGTHS.map((steps) => ({ steps, wall: median(walls.get(steps) ?? []) }));
}

/** Until the first step starts: of a new run of 1,000 steps, and of one that has 999 behind it. */
async function resuming() {
  const prepared = newFolder();
  await prepareLong(prepared);
  const fresh: number[] = [];
  const resumed: number[] = [];
  for (let round = 0; round <= STARTS; round++) {
    const root = newFolder();
    cpSync(prepared, root, { recursive: true });
    const start = await untilFirstStep(root, (project, onEvent) =>
      startRun(project, beginning(), { runId: "fresh", onEvent }),
    );
    const resume = await untilFirstStep(root, (project, onEvent) =>
      resumeRun(project, "long", { workflow: ending(), onEvent }),
    );
    rmSync(root, { recursive: true });
    if (round === 0) continue;
    fresh.push(start);
    resumed.push(resume);
  }
  return { resumed: median(resumed), fresh: median(fresh) };
}

async function openPlain() {
  const project = await openProject(newFolder());
  const trail = project.cairn.trail<{ n: number }>("plain", { initial: { n: 0 }, recognition: "identity" });
  let n = 0;
  return { project, commitPlain: () => trail.commit({ n: ++n }) };
}

/** Microseconds for one of many. */
async function each(count: number, work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  for (let done = 0; done < count; done++) await work();
  return ((performance.now() - started) * 1000) / count;
}

async function bareSpawn(): Promise<void> {
  await once(spawn("/bin/sh", ["-c", "true"], { stdio: "ignore" }), "exit");
}

async function untilFirstStep(
  root: string,
  go: (project: WorkflowContext, onEvent: OnEvent) => Promise<unknown>,
): Promise<number> {
  const project = await openProject(root);
  let first: number | undefined;
  const started = performance.now();
  await go(project, ({ type }) => {
    if (type === "step-started") first ??= performance.now();
  });
  await project.cairn.close();
  if (first === undefined) throw new Error("No step was started.");
  return (first - started) * 1000;
}

async function prepareLong(root: string): Promise<void> {
  const project = await openProject(root);
  await startRun(project, ending(), { runId: "long" });
  await decideRun(project, "long", { approved: true, by: "bench", identity: "given" });
  await project.cairn.close();
}

const measures: { readonly [Name in keyof Times]: () => Promise<Times[Name]> } = {
  functionSteps,
  commandSteps,
  growth,
  resuming,
};

say(await measures[name as keyof Times]());
