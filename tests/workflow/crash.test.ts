import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildSync } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";

import { isAlive, parseStarted } from "../../src/workflow/engine/process-identity.ts";
import type { Run } from "../../src/workflow/run/run-state.ts";
import { decideRun } from "../../src/workflow/runner/decide-run.ts";
import { readRun } from "../../src/workflow/runner/examine-run.ts";
import { inLanes, start } from "../faults/support/child.ts";
import { integer, randomFrom, seed } from "../faults/support/random.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { CRASH_WORKFLOW } from "./programs/crash-workflow.ts";
import { openProject } from "./support/project.ts";

const KILLS = scaled(200, 1000);
const STEPS = CRASH_WORKFLOW.steps.filter((step) => step.run !== undefined).map((step) => step.id);

// In memory where that is possible: kill -9 loses nothing that was written, so waiting for a disk proves nothing here.
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const newFolder = () => {
  const folder = mkdtempSync(join(parent, "cairn-crash-"));
  folders.push(folder);
  return folder;
};

// Most of a start would otherwise be compiling, two hundred times.
process.env["NODE_COMPILE_CACHE"] = newFolder();
const program = join(newFolder(), "runner.mjs");
buildSync({
  entryPoints: [join(import.meta.dirname, "programs/runner.ts")],
  outfile: program,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node22",
  logLevel: "warning",
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
});

interface Said {
  readonly ready?: true;
  readonly status?: string;
}

describe(`a runner that is killed with kill -9 (seed ${seed})`, () => {
  it(
    "never runs a completed step again, and ends with the same results as one that nobody killed",
    async () => {
      const expected = await uninterrupted();
      const totals = { kills: 0, runs: 0, starts: 0, adopted: 0, crashes: 0 };
      await inLanes([1, 2], 2, async (lane) => {
        const random = randomFrom(seed + lane);
        while (totals.kills < KILLS) {
          const { root, kills } = await killUntilDone({
            // When there were enough, the last run of each lane is let finish.
            delayMs: () =>
              totals.kills >= KILLS ? undefined : integer(random, 0, random() < 0.5 ? 100 : 400),
            alsoSteps: () => random() < 0.3,
            onKill: () => totals.kills++,
          });
          const run = await finalRun(root);
          compare(run, expected, root, kills);
          totals.runs++;
          totals.starts += linesOf(root, "starts.log").length;
          totals.adopted += Object.values(run.steps).filter((state) => state.adopted).length;
          totals.crashes += Object.values(run.steps).reduce((sum, state) => sum + state.crashes, 0);
        }
      });
      expect(totals.kills).toBeGreaterThanOrEqual(KILLS);
      report(
        `${totals.kills} kills of a runner in ${totals.runs} runs: ${totals.starts} starts, ${totals.adopted} adopted, ${totals.crashes} run again`,
      );
    },
    2 * TIMEOUT_MS,
  );
});

async function uninterrupted(): Promise<Run> {
  const { root } = await killUntilDone({});
  const run = await finalRun(root);
  expect(linesOf(root, "starts.log").toSorted()).toEqual(STEPS.toSorted());
  return run;
}

interface Strikes {
  /** When to kill the runner; undefined lets it live. */
  readonly delayMs?: () => number | undefined;
  readonly onKill?: () => void;
  /** Whether its commands die with it, as when a machine goes down. */
  readonly alsoSteps?: () => boolean;
}

/** Kills the runner after a while, again and again, until a run has got through. */
async function killUntilDone({
  delayMs,
  alsoSteps,
  onKill,
}: Strikes): Promise<{ root: string; kills: number }> {
  const root = newFolder();
  writeFileSync(join(root, "in.txt"), "same");
  let kills = 0;
  for (;;) {
    const runner = start<Said>(program, [root]);
    const delay = delayMs?.();
    if (delay !== undefined) {
      await runner.heard((said) => said.ready === true);
      await wait(delay);
      runner.kill();
      if (alsoSteps?.()) killSteps(root);
    }
    const { messages, signal, stderr } = await runner.ended();
    expect(stderr).toBe("");
    if (signal === "SIGKILL") {
      kills++;
      onKill?.();
    }
    const status = messages.find((said) => said.status !== undefined)?.status;
    if (status === "completed") return { root, kills };
    if (status === "awaiting_approval") await approve(root);
  }
}

function killSteps(root: string): void {
  const folder = join(root, ".cairn/runs/crash/steps");
  for (const started of globSync("**/started", { cwd: folder })) {
    const identity = parseStarted(readFileSync(join(folder, started), "utf8"));
    if (identity && isAlive(identity)) process.kill(-identity.pid, "SIGKILL");
  }
}

async function approve(root: string): Promise<void> {
  const project = await openProject(root);
  await decideRun(project, "crash", { approved: true, by: "test", identity: "given" });
  await project.cairn.close();
}

async function finalRun(root: string): Promise<Run> {
  const project = await openProject(root);
  const run = await readRun(project, "crash");
  await project.cairn.close();
  return run;
}

const linesOf = (root: string, file: string) => readFileSync(join(root, file), "utf8").trim().split("\n");

function compare(run: Run, expected: Run, root: string, kills: number): void {
  expect(run.status).toBe("completed");
  const starts = Map.groupBy(linesOf(root, "starts.log"), (id) => id);
  for (const id of STEPS) {
    const state = run.steps[id]!;
    const count = starts.get(id)!.length;
    // An attempt may be counted that died before its first line, never the other way round.
    expect(count).toBeLessThanOrEqual(state.attempt);
    expect(state.attempt).toBe(1 + state.crashes);
    expect(state.attempt).toBeLessThanOrEqual(1 + kills);
    expect(state.result).toEqual(expected.steps[id]!.result);
  }
  const files = (from: Run) =>
    Object.values(from.artifacts)
      .map(({ path, sha256, step }) => ({ path, sha256, step }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  expect(files(run)).toEqual(files(expected));
  expect(run.inputs).toEqual(expected.inputs);
}
