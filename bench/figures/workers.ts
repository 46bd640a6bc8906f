import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { findPostgres, startServer, type TestServer } from "../../tests/postgres/support/server.ts";
import { atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { migratePostgresStore, openCairn, openPostgresStore } from "../library.ts";
import { median, Samples } from "../measure.ts";
import { time } from "../units.ts";
import { loadWorkflow, migrateCluster, openCluster, runWorker, startOnWorkers } from "../worker-library.ts";
import { defineWorkflow } from "../workflow-library.ts";

const COMMAND = resolve("bin/checkpoint.js");
const SCHEMA = "bench";
const CHAIN = 50;
const FAN = 100;
/** As many as in the test that decided for this queue. */
const FAN_WORKERS = 4;
const ROUNDS = 3;
const IDLE_MS = 20_000;
const LEASE_S = 2;
const TAKEOVERS = 7;

export const workers: Figure = {
  name: "workers",
  title: "Workers on a PostgreSQL store, synced",
  measure: async (bench) => {
    const programs = findPostgres();
    if (programs === undefined) return [info("workers", "not measured", "there is no PostgreSQL")];
    const server = await startServer(programs, { fsync: true, settings: LOG });
    const place = await openPlace(server, bench.place.newFolder());
    try {
      return [
        ...(await insideAProgram(bench, place)),
        await idle(bench, place),
        ...(await takeover(bench, place)),
      ];
    } finally {
      await place.close();
      await server.stop();
    }
  },
};

type Place = Awaited<ReturnType<typeof openPlace>>;

async function openPlace(server: TestServer, root: string) {
  const store = { url: server.url, schema: SCHEMA };
  await migratePostgresStore(store);
  const cluster = await openCluster(store);
  await migrateCluster(cluster.database);
  const cairn = await openCairn({ store: await openPostgresStore(store) });
  mkdirSync(join(root, ".cairn"));
  const kill = (id: number, signal: NodeJS.Signals) => void process.kill(id, signal);
  const { env, pid } = process;
  const now = () => new Date();
  const context = { cairn, root, folder: join(root, ".cairn"), env, now, pid, host: "bench", kill };
  const close = async () => {
    await cairn.close();
    await cluster.close();
  };
  return { server, store, root, cluster, cairn, context, close };
}

/** The server's log, for `idle`: each line begins with the name of the program that it is about. */
const LOG = ["logging_collector=on", "log_directory=log", "log_filename=all", "log_line_prefix=%a|"];

/** Steps that are functions and do nothing: what is left is what a worker adds. */
async function insideAProgram({ progress }: Bench, place: Place): Promise<Row[]> {
  progress.step("workers: a chain, and a fan");
  const { cairn, cluster, context, store } = place;
  const trail = cairn.trail<object>("main", { initial: {} });
  const commit = new Samples();
  const nothing = () => null;
  const name = (at: number) => `s${at}`;
  const chain = defineWorkflow({
    name: "chain",
    steps: Array.from({ length: CHAIN }, (_, at) => ({
      id: name(at),
      needs: at ? [name(at - 1)] : [],
      run: nothing,
    })),
  });
  const fan = defineWorkflow({
    name: "fan",
    jobs: FAN,
    steps: Array.from({ length: FAN }, (_, at) => ({ id: name(at), needs: [], run: nothing })),
  });
  const end = new AbortController();
  const work = () =>
    runWorker({
      store,
      path: context.folder,
      workflows: [chain, fan],
      slots: 8,
      signal: end.signal,
      now: context.now,
    });
  const working = [work()];
  const chains = new Samples();
  for (let round = 1; round <= ROUNDS; round++) {
    for (let at = 0; at < 100; at++) await commit.time(() => trail.commit({ at }));
    await chains.time(() => startOnWorkers(context, cluster, chain, { runId: `chain${round}` }));
    progress.at(round, ROUNDS);
  }
  const each = chains.p50 / CHAIN;
  const before = await commitsOf(place);
  while (working.length < FAN_WORKERS) working.push(work());
  await startOnWorkers(context, cluster, fan, { runId: "fan" });
  const commits = (await commitsOf(place)) - before;
  end.abort();
  await Promise.all(working);
  return [
    atMost(
      "empty step through a worker / PostgreSQL commit p50",
      each / commit.p50,
      { must: 25, aim: 12, digits: 1 },
      `${time(each)} / ${time(commit.p50)}, a chain of ${CHAIN}, ${ROUNDS} times in turn with commits`,
    ),
    atMost(
      `fan-out of ${FAN}: trail commits per step`,
      commits / FAN,
      { must: 0.3, aim: 0.1 },
      `${commits} commits, ${FAN_WORKERS} workers`,
    ),
  ];
}

/** Counts every statement that the server logs for a worker's own connections. */
async function idle({ progress }: Bench, place: Place): Promise<Row> {
  progress.step("workers: idle");
  const count = async () => {
    const lines = "regexp_split_to_table(pg_read_file('log/all'), E'\\n') AS line";
    const sql = `SELECT count(*) AS n FROM ${lines} WHERE line ~ '^idle\\|LOG:  (statement|execute)'`;
    return Number((await query<{ n: string }>(place, sql))?.n);
  };
  await query(place, "ALTER SYSTEM SET log_statement = 'all'");
  await query(place, "SELECT pg_reload_conf()");
  const worker = await startWorker(place, [], "idle");
  // It has opened its connections and looked at everything once.
  await wait(2_000);
  const [before, started] = [await count(), performance.now()];
  await wait(IDLE_MS);
  const seconds = (performance.now() - started) / 1000;
  const statements = (await count()) - before;
  await end(worker);
  await query(place, "ALTER SYSTEM RESET log_statement");
  await query(place, "SELECT pg_reload_conf()");
  return atMost(
    "idle SQL per worker and second",
    statements / seconds,
    { must: 3, aim: 1, digits: 1 },
    `${statements} statements in the server's log, ${Math.round(seconds)} s`,
  );
}

/** From the kill of the worker that runs a step to the step's second start, at another worker. */
async function takeover({ progress }: Bench, place: Place): Promise<Row[]> {
  progress.step("workers: takeover");
  const { root, context, cluster } = place;
  const step =
    'echo "$CAIRN_ATTEMPT" > "$CAIRN_RUN_ID.$CAIRN_ATTEMPT"; [ "$CAIRN_ATTEMPT" -ge 2 ] || sleep 60';
  writeFileSync(
    join(root, "w.yaml"),
    JSON.stringify({ name: "takeover", steps: [{ id: "long", run: step }] }),
  );
  const workflow = await loadWorkflow("w.yaml", { cwd: root });
  const ratios: number[] = [];
  for (let turn = 1; turn <= TAKEOVERS; turn++) {
    const first = await startWorker(place, ["--lease", `${LEASE_S}s`]);
    await startOnWorkers(context, cluster, workflow, { runId: `t${turn}`, signal: AbortSignal.abort() });
    await until(() => existsSync(join(root, `t${turn}.1`)));
    const second = await startWorker(place, ["--lease", `${LEASE_S}s`]);
    await end(first);
    const started = performance.now();
    await until(
      () => existsSync(join(root, `t${turn}.2`)) && readFileSync(join(root, `t${turn}.2`)).length > 0,
    );
    ratios.push((performance.now() - started) / 1000 / LEASE_S);
    await end(second);
    progress.at(turn, TAKEOVERS);
  }
  const from = `${TAKEOVERS} kills, lease ${LEASE_S} s`;
  return [
    atMost("takeover p50 / lease", median(ratios), { must: 1.3, aim: 1.15 }, from),
    atMost("takeover max / lease", Math.max(...ratios), { must: 2, aim: 1.5 }, from),
  ];
}

async function startWorker(
  { server, root }: Place,
  args: readonly string[],
  name = "worker",
): Promise<ChildProcess> {
  const store = `${server.url}?schema=${SCHEMA}&application_name=${name}`;
  const env = { PATH: process.env["PATH"], HOME: root, CHECKPOINT_STORE: store };
  const worker = spawn(process.execPath, [COMMAND, "-C", root, "worker", ...args], { env });
  await once(worker.stderr, "data");
  return worker;
}

async function end(worker: ChildProcess): Promise<void> {
  const ended = once(worker, "exit");
  worker.kill("SIGKILL");
  await ended;
}

async function until(what: () => boolean): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (what()) return;
    await wait(5);
  }
  throw new Error("It never came true.");
}

const commitsOf = async (place: Place) =>
  Number((await query<{ n: string }>(place, `SELECT last_value AS n FROM ${SCHEMA}.commits`))?.n);

async function query<Row extends pg.QueryResultRow>(
  { server }: Place,
  sql: string,
): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<Row>(sql);
  await client.end();
  return rows[0];
}
