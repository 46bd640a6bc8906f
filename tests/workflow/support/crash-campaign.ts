import assert from "node:assert/strict";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";
import { isAlive, parseStarted } from "../../../src/capabilities/workflow/engine/process-identity.ts";
import type { Run } from "../../../src/capabilities/workflow/run/run-state.ts";
import { decideRun } from "../../../src/capabilities/workflow/runner/decide-run.ts";
import { readRun } from "../../../src/capabilities/workflow/runner/examine-run.ts";
import { inLanes, start } from "../../faults/support/child.ts";
import { bundleFile } from "../../faults/support/program.ts";
import { integer, randomFrom } from "../../faults/support/random.ts";
import { openContext } from "./context.ts";
import { CRASH_WORKFLOW } from "../programs/crash-workflow.ts";
import { stateOf } from "../../../src/capabilities/workflow/run/run-state.ts";

/** What came of killing runners again and again. */
export interface Campaign {
  readonly kills: number;
  readonly runs: number;
  readonly starts: number;
  readonly adopted: number;
  /** Attempts that died and were made again. */
  readonly crashes: number;
}

export interface CampaignOptions {
  /** At least so many. */
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (kills: number) => void;
}

const STEPS = CRASH_WORKFLOW.steps.filter((step) => step.run !== undefined).map((step) => step.id);

/**
 * Kills runners of a workflow of twenty steps with kill -9 at random moments, until there were enough. Throws unless
 * each run ends with the results of one that nobody killed, and no completed step ran again.
 */
export async function killRunners({ kills, seed, onKill }: CampaignOptions): Promise<Campaign> {
  const place = openPlace();
  try {
    const expected = await uninterrupted(place);
    const totals = { kills: 0, runs: 0, starts: 0, adopted: 0, crashes: 0 };
    await inLanes([1, 2], 2, async (lane) => {
      const random = randomFrom(seed + lane);
      while (totals.kills < kills) {
        const run = await killUntilDone(place, {
          // When there were enough, the last run of each lane is let finish.
          delayMs: () => (totals.kills >= kills ? undefined : integer(random, 0, random() < 0.5 ? 100 : 400)),
          alsoSteps: () => random() < 0.3,
          onKill: () => {
            totals.kills++;
            onKill?.(totals.kills);
          },
        });
        const found = await finalRun(run.root);
        compare(found, expected, run);
        totals.runs++;
        totals.starts += linesOf(run.root, "starts.log").length;
        totals.adopted += Object.values(found.steps).filter((state) => state.adopted).length;
        totals.crashes += Object.values(found.steps).reduce((sum, state) => sum + state.crashes, 0);
      }
    });
    return totals;
  } finally {
    place.remove();
  }
}

interface Place {
  readonly program: string;
  /** Where Node keeps compiled code: most of a start would otherwise be compiling, hundreds of times. */
  readonly compiled: string;
  newFolder(): string;
  remove(): void;
}

function openPlace(): Place {
  // In memory where that is possible: kill -9 loses nothing that was written, so waiting for a disk proves nothing here.
  const parent = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "cairn-crash-"));
  const newFolder = () => mkdtempSync(join(parent, "run-"));
  const program = bundleFile(join(import.meta.dirname, "../programs/runner.ts"), newFolder());
  return {
    program,
    compiled: newFolder(),
    newFolder,
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

async function uninterrupted(place: Place): Promise<Run> {
  const { root } = await killUntilDone(place, {});
  assert.deepEqual(linesOf(root, "starts.log").toSorted(), STEPS.toSorted());
  return finalRun(root);
}

interface Strikes {
  /** When to kill the runner; undefined lets it live. */
  readonly delayMs?: () => number | undefined;
  readonly onKill?: () => void;
  /** Whether its commands die with it, as when a machine goes down. */
  readonly alsoSteps?: () => boolean;
}

interface Killed {
  readonly root: string;
  readonly kills: number;
}

interface Said {
  readonly ready?: true;
  readonly status?: string;
}

/** Kills the runner after a while, again and again, until a run has got through. */
async function killUntilDone(place: Place, { delayMs, alsoSteps, onKill }: Strikes): Promise<Killed> {
  const root = place.newFolder();
  writeFileSync(join(root, "in.txt"), "same");
  let kills = 0;
  for (;;) {
    const runner = start<Said>(place.program, [root], { env: { NODE_COMPILE_CACHE: place.compiled } });
    const delay = delayMs?.();
    if (delay !== undefined) {
      await runner.heard((said) => said.ready === true);
      await wait(delay);
      runner.kill();
      if (alsoSteps?.()) killSteps(root);
    }
    const { messages, signal, stderr } = await runner.ended();
    assert.equal(stderr, "");
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
    const identity = parseStarted(
      readFileSync(join(folder, started), "utf8"),
      join(folder, dirname(started)),
    );
    if (identity && isAlive(identity)) killGroup(identity.pid);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It may end by itself after it was seen alive.
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function approve(root: string): Promise<void> {
  await inProject(root, (project) =>
    decideRun(project, "crash", { approved: true, by: "test", identity: "given" }),
  );
}

const finalRun = async (root: string): Promise<Run> =>
  inProject(root, (project) => readRun(project, "crash"));

async function inProject<Result>(
  root: string,
  work: (project: WorkflowContext) => Promise<Result>,
): Promise<Result> {
  const { context, close } = await openContext(root);
  try {
    return await work(context);
  } finally {
    await close();
  }
}

const linesOf = (root: string, file: string) => readFileSync(join(root, file), "utf8").trim().split("\n");

function compare(run: Run, expected: Run, { root, kills }: Killed): void {
  assert.equal(run.status, "completed");
  const starts = Map.groupBy(linesOf(root, "starts.log"), (id) => id);
  for (const id of STEPS) {
    const state = stateOf(run, id);
    const count = starts.get(id)!.length;
    // An attempt may be counted that died before its first line, never the other way round.
    assert(count <= state.attempt, `${id} was started ${count} times, in ${state.attempt} attempts`);
    assert.equal(state.attempt, 1 + state.crashes);
    assert(state.attempt <= 1 + kills, `${id} had ${state.attempt} attempts after ${kills} kills`);
    assert.deepEqual(state.result, stateOf(expected, id).result);
  }
  assert.deepEqual(filesOf(run), filesOf(expected));
  assert.deepEqual(run.inputs, expected.inputs);
}

function filesOf({ artifacts }: Run) {
  return Object.values(artifacts)
    .map(({ path, sha256, step }) => ({ path, sha256, step }))
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
