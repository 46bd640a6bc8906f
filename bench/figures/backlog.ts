import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { findPostgres, startServer, type TestServer } from "../../tests/postgres/support/server.ts";
import { atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { median } from "../measure.ts";
import { count, openCairnStage } from "../throughput/engines.ts";

const COMMAND = resolve("bin/checkpoint.js");
const WAITING = 1000;
const QUEUED = 10_000;
/** The default. */
const LEASE_MS = 30_000;
const ARCHIVED = [100, 100_000] as const;
const LISTS = 5;
/** How long a worker is watched that has much to do. */
const BUSY_MS = 15_000;

export const backlog: Figure = {
  name: "backlog",
  title: "Many runs in a PostgreSQL store",
  measure: async (bench) => {
    const programs = findPostgres();
    if (programs === undefined) return [info("backlog", "not measured", "there is no PostgreSQL")];
    const server = await startServer(programs, { fsync: true });
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    try {
      return [...(await queued(bench, server, client)), await listed(bench, server, client)];
    } finally {
      await client.end();
      await server.stop();
    }
  },
};

async function queued({ place, progress }: Bench, server: TestServer, client: pg.Client): Promise<Row[]> {
  progress.step(`backlog: ${WAITING} runs, lost and put back`);
  const stage = await openCairnStage({ server, client, schema: "queued", root: place.newFolder() });
  await stage.submit(WAITING);
  await client.query("DELETE FROM queued_queue.job");
  // One that takes nothing from the queue where they belong.
  const idle = await stage.startWorker({ leaseMs: LEASE_MS, queues: ["other"] });
  const started = performance.now();
  while ((await count(client, "queued_queue.job")) < WAITING) await wait(100);
  const leases = (performance.now() - started) / LEASE_MS;
  await idle.end();
  progress.step(`backlog: ${QUEUED} runs in the queue`);
  await stage.submit(QUEUED - WAITING);
  const busy = await stage.startWorker();
  await wait(BUSY_MS);
  busy.tell("memory");
  const { memory } = await busy.next<{ memory: number }>();
  const done = QUEUED - (await stage.left());
  await busy.end();
  await stage.close();
  return [
    atMost(
      `${WAITING} waiting runs are put back after the queue was emptied, leases`,
      leases,
      { must: 2, aim: 1 },
      `one worker, a lease of ${LEASE_MS / 1000} s`,
    ),
    atMost(
      `memory of a worker with ${QUEUED} queued runs`,
      memory / 2 ** 20,
      { must: 150, unit: " MB", digits: 0 },
      `the most it ever had; it did ${done} of them`,
    ),
  ];
}

/** The command, in a store with few runs and in one with many, in turn. */
async function listed({ place, progress }: Bench, server: TestServer, client: pg.Client): Promise<Row> {
  progress.step("backlog: checkpoint runs");
  const root = place.newFolder();
  const schemas = ARCHIVED.map((runs) => `listed_${runs}`);
  for (const [at, schema] of schemas.entries()) {
    const stage = await openCairnStage({ server, client, schema, root: place.newFolder() });
    await stage.submit(1);
    const worker = await stage.startWorker();
    while ((await stage.left()) > 0) await wait(20);
    await worker.end();
    await stage.close();
    await multiply(client, schema, ARCHIVED[at]!);
  }
  const times = schemas.map((): number[] => []);
  for (let round = 0; round <= LISTS; round++)
    for (const [at, schema] of schemas.entries()) {
      const started = performance.now();
      await list(root, `${server.url}?schema=${schema}`);
      // The first time it fills caches.
      if (round > 0) times[at]!.push(performance.now() - started);
    }
  const [few, many] = times.map(median) as [number, number];
  return atMost(
    `checkpoint runs, ${ARCHIVED[1]} archived runs / ${ARCHIVED[0]}`,
    many / few,
    { must: 2, aim: 1.2 },
    `${many.toFixed(0)} ms / ${few.toFixed(0)} ms, ${LISTS} times in turn`,
  );
}

/** More trails with the checkpoints of the run that is there. */
async function multiply(client: pg.Client, schema: string, runs: number): Promise<void> {
  await client.query(
    `INSERT INTO ${schema}.trails(name, head) SELECT name || '-' || n, head
     FROM ${schema}.trails, generate_series(2, $1::int) AS n WHERE name = 'run/r0'`,
    [runs],
  );
  await client.query(
    `INSERT INTO ${schema}.checkpoints(sequence, created, trail, id, parent)
     SELECT nextval('${schema}.commits'), c.created, t.id, c.id, c.parent FROM ${schema}.trails AS t
     JOIN ${schema}.trails AS first ON first.name = 'run/r0' AND t.name LIKE 'run/r0-%'
     JOIN ${schema}.checkpoints AS c ON c.trail = first.id`,
  );
  await client.query(`ANALYZE ${schema}.trails, ${schema}.checkpoints`);
}

async function list(root: string, store: string): Promise<void> {
  const env = { PATH: process.env["PATH"], HOME: root, CHECKPOINT_STORE: store };
  const listing = spawn(process.execPath, [COMMAND, "-C", root, "runs"], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = (await listing.stdout.toArray()).join("").trim().split("\n").length;
  if (listing.exitCode === null) await once(listing, "exit");
  if (listing.exitCode !== 0 || lines !== 50)
    throw new Error(`It listed ${lines} runs, status ${listing.exitCode}.`);
}
