import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import type { TestServer } from "../../tests/postgres/support/server.ts";
import { startChild, type Child } from "../children.ts";
import { migratePostgresStore, openCairn, openPostgresStore } from "../library.ts";
import { CHAIN, CHAIN_STEPS, ONE } from "../throughput-flows.ts";
import { migrateCluster, openCluster, startOnWorkers, submitRun } from "../worker-library.ts";

const SLOTS = 8;
/** How many runs are handed in at the same time. */
const AT_ONCE = 16;

/** A queue with a schema of its own in the server, and nothing in it. */
interface Stage {
  submit(count: number): Promise<void>;
  /** Resolves once the worker can take what is there. */
  startWorker(): Promise<Child>;
  /** How many runs are not done. */
  left(): Promise<number>;
  close(): Promise<void>;
}

interface Surroundings {
  readonly server: TestServer;
  readonly client: pg.Client;
  readonly schema: string;
  /** A new folder. */
  readonly root: string;
}

export type OpenStage = (surroundings: Surroundings) => Promise<Stage>;

export async function openCairnStage({ server, client, schema, root }: Surroundings) {
  const store = { url: server.url, schema };
  await migratePostgresStore(store);
  const cluster = await openCluster(store);
  await migrateCluster(cluster.database);
  const cairn = await openCairn({ store: await openPostgresStore(store) });
  const folder = join(root, ".cairn");
  mkdirSync(folder);
  const now = () => new Date();
  const kill = () => undefined;
  const context = { cairn, root, folder, env: process.env, now, pid: process.pid, host: "bench", kill };
  let submitted = 0;
  return {
    async submit(count: number) {
      const last = submitted + count;
      const submitter = async () => {
        while (submitted < last) await submitRun(context, cluster, ONE, { runId: `r${submitted++}` });
      };
      await Promise.all(Array.from({ length: AT_ONCE }, submitter));
    },
    async startWorker(options: object = {}) {
      const child = startChild("busy-worker.ts", [
        JSON.stringify({ store, folder, slots: SLOTS, ...options }),
      ]);
      await child.next();
      return child;
    },
    left: () => count(client, `${schema}.active_runs`),
    /** Milliseconds a step. */
    async chain(name: string) {
      const started = performance.now();
      await startOnWorkers(context, cluster, CHAIN, { runId: name });
      return (performance.now() - started) / CHAIN_STEPS;
    },
    async close() {
      await cairn.close();
      await cluster.close();
    },
  } satisfies Stage & Record<string, unknown>;
}

export const openRivalStage =
  (rival: "dbos" | "dbos-fast" | "pg-boss"): OpenStage =>
  async ({ server, client, schema }) => {
    const submitter = startChild("rival-worker.mjs", [rival, server.url, schema]);
    await submitter.next();
    const left =
      rival === "pg-boss"
        ? `${schema}.job WHERE name = 'one' AND state < 'completed'`
        : `${schema}.workflow_status WHERE status IN ('ENQUEUED', 'PENDING')`;
    return {
      async submit(count) {
        submitter.tell(String(count));
        await submitter.next();
      },
      async startWorker() {
        const child = startChild("rival-worker.mjs", [rival, server.url, schema, String(SLOTS)]);
        await child.next();
        return child;
      },
      left: () => count(client, left),
      close: () => submitter.end(),
    };
  };

export async function count(client: pg.Client, from: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${from}`);
  return rows[0]!.n;
}
