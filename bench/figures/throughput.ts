import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { findPostgres, startServer, type TestServer } from "../../tests/postgres/support/server.ts";
import { atLeast, atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { median } from "../measure.ts";
import { openCairnStage, openRivalStage, type OpenStage } from "../throughput/engines.ts";
import { postgresCpuMs } from "../throughput/server-load.ts";
import { time } from "../units.ts";

/** The same for each worker, so that warming up costs each run the same. */
const RUNS_A_WORKER = 200;
const ROUNDS = 3;
const SAMPLE_MS = 20;

/** What is measured in turn: who, and with how many workers. */
const CONTESTS: readonly [string, OpenStage, number][] = [
  ["cairn", openCairnStage, 1],
  ["dbos", openRivalStage("dbos"), 1],
  ["dbos-fast", openRivalStage("dbos-fast"), 1],
  ["pg-boss", openRivalStage("pg-boss"), 1],
  ["cairn", openCairnStage, 4],
  ["dbos", openRivalStage("dbos"), 4],
  ["dbos-fast", openRivalStage("dbos-fast"), 4],
  ["pg-boss", openRivalStage("pg-boss"), 4],
  ["cairn", openCairnStage, 8],
];

export const throughput: Figure = {
  name: "throughput",
  title: "Runs of one empty step on PostgreSQL, synced, beside DBOS and pg-boss without a store",
  measure: async (bench) => {
    const programs = findPostgres();
    if (programs === undefined) return [info("throughput", "not measured", "there is no PostgreSQL")];
    if (!existsSync(new URL("../node_modules/@dbos-inc/dbos-sdk", import.meta.url)))
      return [info("throughput", "not measured", "npm install --prefix bench")];
    const server = await startServer(programs, { fsync: true, settings: ["max_connections=300"] });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return [...(await contests(bench, server, client)), await chains(bench, server, client)];
    } finally {
      await client.end();
      await server.stop();
    }
  },
};

interface Contest {
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly lockWaits: number;
  readonly samples: number;
}

async function contests({ place, progress }: Bench, server: TestServer, client: pg.Client): Promise<Row[]> {
  const results = new Map<string, Contest[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, open, workers] of CONTESTS) {
      progress.step(`throughput: ${name}, ${workers} workers`);
      const schema = `${name.replaceAll("-", "")}_${workers}_${round}`;
      const stage = await open({ server, client, schema, root: place.newFolder() });
      const key = `${name} ${workers}`;
      results.set(key, [...(results.get(key) ?? []), await contest(stage, client, workers)]);
      await stage.close();
    }
    progress.at(round + 1, ROUNDS);
  }
  const of = (key: string) => results.get(key)!;
  const speed = (key: string) => median(of(key).map(({ perSecond }) => perSecond));
  const cpu = (key: string) => median(of(key).map(({ cpuMs }) => cpuMs));
  const versus = (a: string, b: string) =>
    median(of(a).map(({ perSecond }, round) => perSecond / of(b)[round]!.perSecond));
  const speeds = (...keys: string[]) => keys.map((key) => `${key}: ${speed(key).toFixed(0)}/s`).join(", ");
  const busy = [...of("cairn 4"), ...of("cairn 8")];
  const samples = busy.reduce((sum, each) => sum + each.samples, 0);
  const locks = busy.reduce((sum, each) => sum + each.lockWaits, 0);
  return [
    atMost(
      "CPU a run, workers and PostgreSQL: 4 workers / 1",
      cpu("cairn 4") / cpu("cairn 1"),
      { must: 1.2, aim: 1 },
      `${cpu("cairn 4").toFixed(1)} ms / ${cpu("cairn 1").toFixed(1)} ms`,
    ),
    atLeast(
      "runs a second: 8 workers / 4",
      versus("cairn 8", "cairn 4"),
      { must: 1 },
      speeds("cairn 8", "cairn 4"),
    ),
    atMost(
      "lock waits among active connections, 4 and 8 workers",
      (locks / samples) * 100,
      { must: 5, unit: " %", digits: 1 },
      `${locks} of ${samples} samples of pg_stat_activity`,
    ),
    atLeast(
      "runs a second, 4 workers / DBOS as it comes",
      versus("cairn 4", "dbos 4"),
      { must: 0.8, aim: 1.5 },
      `${speeds("cairn 4", "dbos 4")}, which looks for work every second`,
    ),
    atLeast(
      "runs a second, 1 worker / DBOS as it comes",
      versus("cairn 1", "dbos 1"),
      { must: 2, aim: 3 },
      speeds("cairn 1", "dbos 1"),
    ),
    info(
      "DBOS that looks every 10 ms, 1 and 4 workers",
      speeds("dbos-fast 1", "dbos-fast 4"),
      `ours / its: ${versus("cairn 1", "dbos-fast 1").toFixed(2)}, ${versus("cairn 4", "dbos-fast 4").toFixed(2)}`,
    ),
    info(
      "pg-boss without a store, 1 and 4 workers",
      speeds("pg-boss 1", "pg-boss 4"),
      "batches of 8, no commit of a state",
    ),
    info(
      "CPU a run: DBOS, pg-boss",
      `${cpu("dbos-fast 1").toFixed(1)} ms, ${cpu("pg-boss 1").toFixed(1)} ms`,
      "1 worker",
    ),
  ];
}

/** Work that waits already, done by workers that start together. Counted from the moment when the last of them is there. */
async function contest(
  stage: Awaited<ReturnType<OpenStage>>,
  client: pg.Client,
  count: number,
): Promise<Contest> {
  await stage.submit(RUNS_A_WORKER * count);
  const workers = await Promise.all(Array.from({ length: count }, () => stage.startWorker()));
  const workerCpu = async () => {
    let sum = 0;
    for (const worker of workers) {
      worker.tell("cpu");
      sum += (await worker.next<{ cpuMs: number }>()).cpuMs;
    }
    return sum;
  };
  const cpuBefore = (await workerCpu()) + postgresCpuMs();
  const started = performance.now();
  const runs = await stage.left();
  let [samples, lockWaits] = [0, 0];
  while ((await stage.left()) > 0) {
    const { rows } = await client.query<{ wait_event_type: string | null }>(
      `SELECT wait_event_type FROM pg_stat_activity
       WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() AND state = 'active'`,
    );
    samples += rows.length;
    lockWaits += rows.filter(({ wait_event_type }) => wait_event_type === "Lock").length;
    await wait(SAMPLE_MS);
  }
  const seconds = (performance.now() - started) / 1000;
  const cpuMs = ((await workerCpu()) + postgresCpuMs() - cpuBefore) / runs;
  for (const worker of workers) await worker.end();
  // A contest that is over before it began says nothing.
  if (runs < RUNS_A_WORKER / 3) throw new Error(`Only ${runs} runs were left to measure.`);
  return { perSecond: runs / seconds, cpuMs, lockWaits, samples };
}

/** One worker, nothing else to do. DBOS tells how long its workflow took by itself, without the queue. */
async function chains({ place, progress }: Bench, server: TestServer, client: pg.Client): Promise<Row> {
  progress.step("throughput: chains");
  const surroundings = { server, client, root: place.newFolder() };
  const cairn = await openCairnStage({ ...surroundings, schema: "chain_cairn" });
  const dbos = await openRivalStage("dbos")({ ...surroundings, schema: "chain_dbos" });
  const workers = [await cairn.startWorker(), await dbos.startWorker()] as const;
  const own: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < 7; round++) {
    own.push(await cairn.chain(`chain${round}`));
    workers[1].tell("chain");
    theirs.push((await workers[1].next<{ ms: number }>()).ms / 50);
  }
  for (const worker of workers) await worker.end();
  await cairn.close();
  await dbos.close();
  return atMost(
    "chain of 50 empty steps, a step / DBOS",
    median(own) / median(theirs),
    { must: 2.5, aim: 1 },
    `${time(median(own) * 1000)} / ${time(median(theirs) * 1000)}, 7 times in turn`,
  );
}
