import pg from "pg";
import { findPostgres, startServer, type TestServer } from "../../tests/postgres/support/server.ts";
import { startChild } from "../children.ts";
import { atLeast, atMost, info, type Bench, type Figure, type Row } from "../figure.ts";
import { migratePostgresStore, openCairn, openPostgresStore } from "../library.ts";
import { median, Samples } from "../measure.ts";
import { bytes, time, timeAndCpu } from "../units.ts";
import { appending } from "../workloads.ts";

const STEPS = 1000;
const PROCESSES = 16;
const COMMITS_EACH = 50;
/** As with the processes that share a SQLite store, the first turns only warm up: bare inserts need none. */
const FIRST_TURNS = 2;
const TURNS = 3;

export const postgres: Figure = {
  name: "postgres",
  title: "A PostgreSQL store, in turn with bare INSERTs of 1.1 KB into the same server, synced",
  measure: async (bench) => {
    const programs = findPostgres();
    if (programs === undefined) return [info("PostgreSQL store", "not measured", "there is no PostgreSQL")];
    const server = await startServer(programs, { fsync: true });
    try {
      await execute(server, "CREATE TABLE bare(id bigserial PRIMARY KEY, data bytea NOT NULL)");
      return [
        ...(await commitAndSize(bench, server)),
        ...(await manyProcesses(bench, server)),
        await besideRemoval(bench, server),
      ];
    } finally {
      await server.stop();
    }
  },
};

async function commitAndSize({ corpus, progress }: Bench, server: TestServer): Promise<Row[]> {
  progress.step("postgres: commits");
  const cairn = await openCairn({ store: await openStore(server, "commits") });
  const empty = await sizeOf(server, "commits");
  const trail = cairn.trail<object>("main", { initial: {}, recognition: "identity" });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const data = Buffer.alloc(1100, 7);
  const [ours, bare] = [new Samples(), new Samples()];
  let newBytes = 0;
  let step = 0;
  for (const { state, newBytes: added } of appending(corpus)(STEPS)) {
    newBytes += added;
    await bare.time(() => client.query("INSERT INTO bare(data) VALUES ($1)", [data]));
    await ours.time(() => trail.commit(state));
    progress.at(++step, STEPS);
  }
  await client.end();
  await cairn.close();
  await execute(server, "VACUUM");
  const stored = await sizeOf(server, "commits");
  return [
    atMost(
      "commit p50 / bare durable INSERT",
      ours.p50 / bare.p50,
      { must: 3, aim: 2.2 },
      `${timeAndCpu(ours)} / ${time(bare.p50)}; p99 ${time(ours.p99)} / ${time(bare.p99)}`,
    ),
    atMost(
      `store / new data, A × ${STEPS}`,
      stored / newBytes,
      { must: 2.3, aim: 1.7 },
      `${bytes(stored)} for ${bytes(newBytes)}, of which ${bytes(empty)} before the first commit`,
    ),
  ];
}

async function manyProcesses({ place, progress }: Bench, server: TestServer): Promise<Row[]> {
  progress.step(`postgres: ${PROCESSES} processes`);
  await openStore(server, "processes").then((store) => store.close());
  const trailsOf = {
    bare: () => [""],
    many: (at: number) => [`worker/${at}`],
    governed: (at: number) => [`agent/${at}`, place.newFolder()],
    one: () => ["main"],
  };
  const rates = { bare: [] as number[], many: [] as number[], governed: [] as number[], one: [] as number[] };
  for (const kind of ["bare", "many", "governed", "one"] as const) {
    const args = (at: number) => [server.url, "processes", ...trailsOf[kind](at)];
    const team = Array.from({ length: PROCESSES }, (_, at) => startChild("postgres-committer.ts", args(at)));
    await Promise.all(team.map((child) => child.next()));
    for (let turn = 0; turn < FIRST_TURNS + TURNS; turn++) {
      const started = performance.now();
      for (const child of team) child.tell(String(COMMITS_EACH));
      await Promise.all(team.map((child) => child.next()));
      rates[kind].push((PROCESSES * COMMITS_EACH * 1000) / (performance.now() - started));
    }
    await Promise.all(team.map((child) => child.end()));
  }
  const [bare, many, one, governed] = [rates.bare, rates.many, rates.one, rates.governed].map((all) =>
    median(all.slice(FIRST_TURNS)),
  ) as [number, number, number, number];
  const each = (rate: number) => `${rate.toFixed(0)}/s`;
  return [
    atLeast(
      `${PROCESSES} processes, ${PROCESSES} trails / bare INSERTs`,
      many / bare,
      { must: 0.2, aim: 0.4 },
      `${each(many)} / ${each(bare)}`,
    ),
    atLeast(
      `${PROCESSES} processes, one trail / ${PROCESSES} trails`,
      one / many,
      { must: 0.1, aim: 0.3 },
      `${each(one)} / ${each(many)}`,
    ),
    info(
      `${PROCESSES} processes, ${PROCESSES} trails, governance on / off`,
      (governed / many).toFixed(2),
      `${each(governed)} / ${each(many)}`,
    ),
  ];
}

const REMOVALS = 30;

/** The rows are made by SQL: a removal looks at nothing else of a checkpoint. */
async function besideRemoval({ progress }: Bench, server: TestServer): Promise<Row> {
  progress.step("postgres: remove beside 100,000 checkpoints");
  const store = await openStore(server, "removal");
  const cairn = await openCairn({ store });
  const trail = cairn.trail<{ count: number }>("main", { initial: { count: 0 } });
  for (let made = 0; made < REMOVALS * 15 + 1; made++) await trail.commit((state) => void state.count++);
  const ids = (await trail.history({ limit: 1000 })).slice(1).map(({ content_hash }) => content_hash);
  await execute(
    server,
    `INSERT INTO removal.checkpoints(sequence, created, trail, id)
     SELECT nextval('removal.commits'), 0, 1, sha256(n::text::bytea) FROM generate_series(1, 100000) AS n;
     ANALYZE removal.checkpoints`,
  );
  const other = cairn.trail<{ count: number }>("other", { initial: { count: 0 } });
  const [alone, beside, removals] = [new Samples(), new Samples(), new Samples()];
  const over = new AbortController();
  const commits = (async () => {
    while (!over.signal.aborted) await beside.time(() => other.commit((state) => void state.count++));
  })();
  for (let removal = 0; removal < REMOVALS; removal++)
    await removals.time(() => store.remove({ checkpoints: ids.slice(removal * 15, removal * 15 + 15) }));
  over.abort();
  await commits;
  // As many without a removal: on a busy machine some take long by themselves.
  while (alone.wall.length < beside.wall.length)
    await alone.time(() => other.commit((state) => void state.count++));
  await cairn.close();
  const [longestBeside, longestAlone] = [Math.max(...beside.wall), Math.max(...alone.wall)];
  const longest = (longestBeside - longestAlone) / 1000;
  const from = `longest of ${beside.wall.length} commits ${time(longestBeside)}, of as many without removals ${time(longestAlone)}; a removal of 15 ${time(removals.p50)}`;
  return atMost(
    "remove beside 100,000 checkpoints: a commit waits",
    longest,
    { must: 50, aim: 10, unit: " ms" },
    from,
  );
}

async function openStore(server: TestServer, schema: string) {
  await migratePostgresStore({ url: server.url, schema });
  return openPostgresStore({ url: server.url, schema });
}

async function sizeOf(server: TestServer, schema: string): Promise<number> {
  const [row] = await execute<{ size: string }>(
    server,
    `SELECT sum(pg_total_relation_size(oid)) AS size FROM pg_class
     WHERE relnamespace = '${schema}'::regnamespace AND relkind = 'r'`,
  );
  return Number(row?.size);
}

async function execute<R extends pg.QueryResultRow>(server: TestServer, sql: string): Promise<R[]> {
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}
