import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { openCairn } from "../../../src/work/state/cairn.ts";
import { migratePostgresStore, openPostgresStore } from "../../../src/capabilities/postgres/store.ts";
import { openCluster, type Cluster } from "../../../src/capabilities/workers/cluster.ts";
import { migrateCluster } from "../../../src/capabilities/workers/dispatcher.ts";
import { moveIfOnWorkers, startOnWorkers } from "../../../src/capabilities/workers/run-on-workers.ts";
import type { WorkflowContext } from "../../../src/capabilities/workflow/context.ts";
import { loadWorkflow } from "../../../src/capabilities/workflow/definition/load-workflow.ts";
import { stateOf, stepsWith, type Run } from "../../../src/capabilities/workflow/run/run-state.ts";
import { isOver, RUN_TRAIL_PREFIX } from "../../../src/work/state/run-trail.ts";
import { cancelRun } from "../../../src/capabilities/workflow/runner/cancel-run.ts";
import { decideRun } from "../../../src/capabilities/workflow/runner/decide-run.ts";
import { sendSignal } from "../../../src/capabilities/workflow/runner/send-signal.ts";
import { awaitingSignal } from "../../../src/capabilities/workflow/run/signals.ts";
import { readRun } from "../../../src/capabilities/workflow/runner/examine-run.ts";
import { integer, randomFrom } from "../../faults/support/random.ts";
import { assertNoGap, mostAtOnce, parseStarts } from "./campaign-rules.ts";
import { startServer, type TestServer } from "./server.ts";

interface Strikes {
  /** Workers ended by kill -9, and started again. */
  kills: number;
  /** Workers stopped for longer than their lease, and then let go on. */
  freezes: number;
  /** PostgreSQL ended at once, and started again. */
  shutdowns: number;
}

export interface WorkerCampaign extends Strikes {
  runs: number;
  cancelled: number;
  starts: number;
  crashes: number;
  /** Runs that a schedule began. */
  scheduled: number;
  /** Runs of the workflow with a limit that were under way at the same moment, at most. */
  atOnce: number;
}

export interface WorkerCampaignOptions extends Strikes {
  readonly programs: string;
  readonly workers: number;
  readonly seed: number;
  readonly onStrike?: (soFar: Strikes) => void;
}

const COMMAND = resolve("bin/checkpoint.js");
const LEASE_S = 2;
const SLOTS = 2;
const ACTIVE_RUNS = 3;
/** What the workflow is limited to. */
const AT_ONCE = 2;
const EVERY_SECONDS = 2;
/** After the last strike everything must be over within this time: a run that is not is stuck. */
const PATIENCE_MS = 60_000;

/** Each step notes its start before anything else. Files are written whole: several runs share the folder. */
const WORK = `echo "$CAIRN_RUN_ID $CAIRN_STEP_ID $CAIRN_ATTEMPT $(date +%s%3N)" >> starts.log
sleep 0.1
echo "$CAIRN_STEP_ID" > "out/$CAIRN_STEP_ID.$$" && mv "out/$CAIRN_STEP_ID.$$" "out/$CAIRN_STEP_ID.txt"`;

const step = (id: string, needs: string[]) => ({ id, needs, run: WORK, outputs: [`out/${id}.txt`] });
const WORKFLOW = {
  name: "campaign",
  jobs: 3,
  limit: { at_once: AT_ONCE },
  steps: [
    step("start", []),
    ...["a", "b", "c"].flatMap((name) => [step(`${name}1`, ["start"]), step(`${name}2`, [`${name}1`])]),
    { id: "go", needs: ["a2", "b2", "c2"], approve: "Go on?" },
    step("x", ["go"]),
    { id: "paid", needs: ["go"], wait: "paid" },
    step("y", ["paid"]),
    step("end", ["x", "y"]),
  ],
};

/**
 * Strikes at workers and at PostgreSQL while runs with a limit go on, are approved, get signals and are cancelled, and others
 * begin by the clock. Throws if a run is stuck, an attempt was started twice, a step was started more often than it crashed, a
 * signal did not reach its step, the limit was exceeded, or a time of the schedule was left out.
 */
export async function strikeWorkers(options: WorkerCampaignOptions): Promise<WorkerCampaign> {
  const server = await startServer(options.programs, { fsync: true });
  const root = mkdtempSync(join(tmpdir(), "cairn-campaign-"));
  const place = await openPlace(server, root);
  const workers = Array.from({ length: options.workers }, () => startWorker(place));
  try {
    return await strike(place, workers, options);
  } finally {
    for (const worker of workers) worker.kill("SIGKILL");
    await place.close();
    await server.stop();
    rmSync(root, { recursive: true, force: true });
  }
}

interface Place {
  readonly server: TestServer;
  readonly root: string;
  readonly context: WorkflowContext;
  readonly cluster: Cluster;
  close(): Promise<void>;
}

async function openPlace(server: TestServer, root: string): Promise<Place> {
  const options = { url: server.url, schema: "campaign", patienceMs: 30_000 };
  await migratePostgresStore(options);
  const cluster = await openCluster(options);
  await migrateCluster(cluster.database);
  const cairn = await openCairn({ store: await openPostgresStore(options) });
  mkdirSync(join(root, "out"));
  mkdirSync(join(root, ".cairn"));
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "w.yaml"), JSON.stringify(WORKFLOW));
  writeFileSync(join(root, "tick.yaml"), JSON.stringify({ name: "tick", steps: [step("only", [])] }));
  writeFileSync(join(root, "starts.log"), "");
  const { env, pid } = process;
  const kill = (id: number, signal: NodeJS.Signals) => void process.kill(id, signal);
  const now = () => new Date();
  const context = { cairn, root, folder: join(root, ".cairn"), env, now, pid, host: "test", kill };
  const close = async () => {
    await cairn.close();
    await cluster.close();
  };
  return { server, root, context, cluster, close };
}

const envOf = ({ server, root }: Place) => ({
  PATH: process.env["PATH"],
  HOME: join(root, "home"),
  CHECKPOINT_STORE: `${server.url}?schema=campaign`,
});

async function command(place: Place, ...args: string[]): Promise<void> {
  const child = spawn(process.execPath, [COMMAND, "-C", place.root, ...args], {
    env: envOf(place),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [status] = (await once(child, "exit")) as [number | null];
  assert.equal(status, 0, args.join(" "));
}

function startWorker(place: Place): ChildProcess {
  const { root } = place;
  const env = envOf(place);
  const args = ["-C", root, "worker", "--lease", `${LEASE_S}s`, "--slots", String(SLOTS)];
  const stdio = process.env["CAIRN_TEST_WORKER_LOG"] ? "inherit" : "ignore";
  return spawn(process.execPath, [COMMAND, ...args], { env, stdio });
}

async function strike(
  place: Place,
  workers: ChildProcess[],
  options: WorkerCampaignOptions,
): Promise<WorkerCampaign> {
  const random = randomFrom(options.seed);
  const done: Strikes = { kills: 0, freezes: 0, shutdowns: 0 };
  const runs: string[] = [];
  const over = new Map<string, Run>();
  const cancelled = new Set<string>();
  const workflow = await loadWorkflow("w.yaml", { cwd: place.root });
  const left = () => (Object.keys(done) as (keyof Strikes)[]).filter((kind) => done[kind] < options[kind]);
  const isStriking = () => left().length > 0;
  const every = `*/${EVERY_SECONDS} * * * * *`;
  await command(place, "schedule", "add", every, "tick.yaml", "--missed", "all", "--timezone", "UTC");
  let isScheduled = true;
  const keepRunsGoing = async () => {
    for (let deadline = Infinity; ;) {
      const open = await openRuns(place, [...runs, ...(await ticksOf(place))], over);
      if (!isStriking() && isScheduled) {
        await command(place, "schedule", "remove", "tick");
        isScheduled = false;
        // A worker may have begun another one just before.
        continue;
      }
      if (!isStriking()) {
        if (open.length === 0) return;
        deadline = Math.min(deadline, performance.now() + PATIENCE_MS);
        if (performance.now() > deadline)
          throw new Error(`Stuck: ${JSON.stringify([open.map(standing), await rowsOf(place)])}`);
      } else if (open.filter(({ id }) => runs.includes(id)).length < ACTIVE_RUNS) {
        const runId = `r${runs.length + 1}`;
        runs.push(runId);
        await startOnWorkers(place.context, place.cluster, workflow, { runId, signal: AbortSignal.abort() });
      }
      // As a service manager does: a worker that cannot reach PostgreSQL when it starts gives up.
      for (const [at, worker] of workers.entries())
        if (worker.exitCode !== null) workers[at] = startWorker(place);
      for (const run of open.filter(({ id }) => runs.includes(id))) {
        // Before or after its step waits for it, and now and then twice.
        if (random() < 0.1 || awaitingSignal(run).length > 0) await pay(place, run.id);
        const isDoomed = isStriking() && random() < 0.01;
        if (isDoomed && (await cancel(place, run.id))) cancelled.add(run.id);
        else if (stepsWith(run, "awaiting_approval").length > 0) await approve(place, run.id);
      }
      await wait(100);
    }
  };
  const striking = async () => {
    for (;;) {
      const kinds = left();
      if (kinds.length === 0) return;
      await wait(integer(random, 50, 700));
      const kind = kinds[integer(random, 0, kinds.length - 1)]!;
      // Rare ones are spread over the whole time.
      if (kind !== "kills" && kinds.includes("kills") && random() < 1 - options[kind] / options.kills)
        continue;
      const at = integer(random, 0, workers.length - 1);
      // Every other kill waits for a step, because a moment by chance may always fall between steps.
      if (kind === "kills" && done.kills % 2 === 0) await stopDuringStep(place, workers[at]!);
      await STRIKE[kind](place, workers, at);
      done[kind]++;
      options.onStrike?.({ ...done });
    }
  };
  await Promise.all([keepRunsGoing(), striking()]);
  // The names that are left are those of all times: none was begun after the last look.
  for (const id of await ticksOf(place)) assert(over.has(id), `${id} came late`);
  return judge(place, { runs: [...over.values()], cancelled, done });
}

const STRIKE: Record<keyof Strikes, (place: Place, workers: ChildProcess[], at: number) => Promise<void>> = {
  async kills(place, workers, at) {
    const worker = workers[at]!;
    const ended = worker.exitCode === null ? once(worker, "exit") : undefined;
    worker.kill("SIGKILL");
    await ended;
    workers[at] = startWorker(place);
  },
  async freezes(_, workers, at) {
    workers[at]!.kill("SIGSTOP");
    await wait(LEASE_S * 1500);
    workers[at]!.kill("SIGCONT");
  },
  async shutdowns({ server }) {
    await server.shutDownAtOnce();
    await wait(200);
    await server.start();
  },
};

/** Stops a worker that has claimed a step and not reported it yet. Returns at once if the worker has exited. */
async function stopDuringStep({ cluster: { database } }: Place, worker: ChildProcess): Promise<void> {
  while (worker.exitCode === null) {
    worker.kill("SIGSTOP");
    const [row] = await database.read(
      `SELECT FROM @outcomes AS o JOIN @workers AS w ON w.id = o.worker
       WHERE w.pid = $1 AND o.outcome IS NULL AND o.expires > now() LIMIT 1`,
      [worker.pid],
    );
    if (row !== undefined) return;
    worker.kill("SIGCONT");
    await wait(20);
  }
}

/** Those that are not over. The others are kept as they ended, because only the newest of a workflow stay in the store. */
async function openRuns(place: Place, ids: readonly string[], over: Map<string, Run>): Promise<Run[]> {
  const open = ids.filter((id) => !over.has(id));
  const runs = await Promise.all(open.map((id) => readRun(place.context, id)));
  for (const run of runs) if (isOver(run.status)) over.set(run.id, run);
  return runs.filter(({ status }) => !isOver(status));
}

/** False if it was over before. */
async function cancel(place: Place, id: string): Promise<boolean> {
  const run = await cancelRun(place.context, id);
  await moveIfOnWorkers(place.context, place.cluster, run);
  return run.status === "cancelled";
}

async function approve(place: Place, id: string): Promise<void> {
  const { run } = await decideRun(place.context, id, { approved: true, by: "test", identity: "given" });
  await moveIfOnWorkers(place.context, place.cluster, run);
}

const PAID = { amount: 12 };

async function pay(place: Place, id: string): Promise<void> {
  const { run } = await sendSignal(place.context, id, { name: "paid", data: PAID, id: "the bank's" });
  await moveIfOnWorkers(place.context, place.cluster, run);
}

/** The runs that the schedule has begun. */
async function ticksOf({ context: { cairn } }: Place): Promise<string[]> {
  const trails = await cairn.trails({ prefix: `${RUN_TRAIL_PREFIX}tick-` });
  return trails.map(({ name }) => name.slice(RUN_TRAIL_PREFIX.length));
}

const standing = ({ id, status, reason, steps }: Run) => ({
  id,
  status,
  reason,
  steps: steps.flatMap((each) =>
    each.status === "completed" ? [] : [`${each.id}/${each.attempt} ${each.status}`],
  ),
});

/** What is known of work under way, for the report of a run that is stuck. */
async function rowsOf({ cluster: { database } }: Place): Promise<unknown> {
  const read = (sql: string) => database.read<unknown>(sql);
  return {
    outcomes: await read("SELECT * FROM @outcomes"),
    active: await read("SELECT *, now() FROM @active_runs"),
    leases: await read("SELECT * FROM @leases"),
    workers: await read("SELECT pid, running, note, expires FROM @workers"),
    jobs: await database.rawQuery("SELECT id, name, data, state, started_on FROM campaign_queue.job"),
  };
}

interface Played {
  readonly runs: readonly Run[];
  readonly cancelled: ReadonlySet<string>;
  readonly done: Strikes;
}

function judge(place: Place, { runs, cancelled, done }: Played): WorkerCampaign {
  const starts = parseStarts(readFileSync(join(place.root, "starts.log"), "utf8"));
  const attempts = new Set(starts.map(({ run, step: name, attempt }) => `${run} ${name} ${attempt}`));
  assert.equal(attempts.size, starts.length, "An attempt was started twice.");
  const started = Map.groupBy(starts, ({ run, step: name }) => `${run} ${name}`);
  let crashes = 0;
  for (const run of runs) {
    const { id } = run;
    assert.equal(run.status, cancelled.has(id) ? "cancelled" : "completed", JSON.stringify(standing(run)));
    for (const { id: name, kind } of run.definition) {
      const state = stateOf(run, name);
      if (kind === "signal" && run.status === "completed")
        assert.deepEqual(state.result, PAID, `${id}/${name} did not get its signal`);
      if (kind !== "command") continue;
      const own = started.get(`${id} ${name}`) ?? [];
      crashes += state.crashes;
      assert.equal(state.failures, 0, `${id}/${name}: ${state.reason}`);
      assert(
        own.length <= 1 + state.crashes,
        `${id}/${name} was started ${own.length} times, ${state.crashes} crashes`,
      );
      if (run.status === "completed")
        assert(
          own.some(({ attempt }) => attempt === state.attempt),
          `${id}/${name} was lost`,
        );
    }
  }
  const ticks = runs.flatMap(({ id, workflow }) => (workflow === "tick" ? [id] : []));
  assertNoGap(ticks, EVERY_SECONDS);
  const limited = runs.filter(({ status, workflow }) => status === "completed" && workflow !== "tick");
  const atOnce = mostAtOnce(limited, starts);
  assert(atOnce <= AT_ONCE, `${atOnce} runs were under way at once.`);
  const counts = { runs: runs.length, cancelled: cancelled.size, starts: starts.length, crashes };
  return { ...done, ...counts, scheduled: ticks.length, atOnce };
}
