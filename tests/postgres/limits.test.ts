import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import { openCluster } from "../../src/capabilities/workers/cluster.ts";
import { migrateCluster } from "../../src/capabilities/workers/dispatcher.ts";
import type { Workflow } from "../../src/capabilities/workflow/definition/types.ts";
import { defineWorkflow, openWorkflows, runWorker } from "../../src/doors/library/workflow/index.ts";
import { until } from "../cli/support/until.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.runIf(programs)("limits of a workflow", () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), "cairn-limits-"));
  const path = join(folder, ".cairn");
  beforeAll(async () => {
    server = await startServer(programs as string);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Hands in runs, works with three workers until all are over, and answers a question about the server's tables. */
  const workOff = async <Answer>(
    schema: string,
    {
      workflow,
      runs,
      sql,
    }: { workflow: Workflow; runs: Record<string, Record<string, string>>; sql: string },
  ) => {
    const store = { url: server.url, schema };
    await migratePostgresStore(store);
    const cluster = await openCluster(store);
    await migrateCluster(cluster.database);
    const workflows = await openWorkflows({ store, path });
    for (const [runId, inputs] of Object.entries(runs)) await workflows.submit(workflow, { runId, inputs });
    const end = new AbortController();
    const work = { store, path, workflows: [workflow], slots: 8, signal: end.signal, now: () => new Date() };
    const working = [1, 2, 3].map(() => runWorker(work));
    await until(
      "all runs over",
      async () => (await cluster.database.read("SELECT FROM @active_runs")).length === 0,
    );
    end.abort();
    await Promise.all(working);
    const answer = await cluster.database.read(sql);
    await workflows.close();
    await cluster.close();
    return answer as Answer[];
  };

  it("let so many runs of a key be under way at once, and others beside them", async () => {
    const underWay = new Map<string, number>();
    const most = new Map<string, number>();
    const workflow = defineWorkflow({
      name: "report",
      inputs: { tenant: { required: true } },
      limit: { key: "tenant", at_once: 2 },
      steps: ["one", "two"].map((id) => ({
        id,
        run: async ({ inputs }) => {
          const tenant = inputs["tenant"]!;
          const now = (underWay.get(tenant) ?? 0) + 1;
          underWay.set(tenant, now);
          most.set(tenant, Math.max(most.get(tenant) ?? 0, now));
          // Stays until another one of its tenant is there too, so that they do overlap as far as they may.
          for (let tries = 0; tries < 100 && underWay.get(tenant)! < 2; tries++) await wait(5);
          await wait(5);
          underWay.set(tenant, underWay.get(tenant)! - 1);
        },
      })),
    });
    const runs = Object.fromEntries(
      Array.from({ length: 16 }, (_, at) => [`r${at}`, { tenant: at % 2 === 0 ? "acme" : "byte" }]),
    );
    const left = await workOff("at_once", {
      workflow,
      runs,
      sql: "SELECT state, count(*)::int AS runs FROM @admissions GROUP BY state",
    });
    expect(left).toEqual([{ state: "over", runs: 16 }]);
    expect(Object.fromEntries(most)).toEqual({ acme: 2, byte: 2 });
  });

  it("let so many runs start within a time, by the server's clock", async () => {
    const workflow = defineWorkflow({
      name: "call",
      limit: { per: "3/s" },
      steps: [{ id: "a", run: () => null }],
    });
    const runs = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`r${at}`, {}]));
    const starts = await workOff<{ at: Date }>("rate", {
      workflow,
      runs,
      sql: "SELECT at FROM @admissions ORDER BY at",
    });
    const times = starts.map(({ at }) => at.getTime());
    expect(times).toHaveLength(8);
    for (let first = 0; first + 3 < times.length; first++)
      expect(times[first + 3]! - times[first]!).toBeGreaterThanOrEqual(999);
  });
});

describe.runIf(programs)("beside runs that stand still", () => {
  let server: TestServer;
  const folder = mkdtempSync(join(tmpdir(), "cairn-standing-"));
  beforeAll(async () => {
    server = await startServer(programs as string);
  }, 60_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (schema: string) => {
    const store = { url: server.url, schema };
    await migratePostgresStore(store);
    const cluster = await openCluster(store);
    await migrateCluster(cluster.database);
    const path = join(folder, ".cairn");
    return { store, path, cluster, workflows: await openWorkflows({ store, path }) };
  };

  it("a run that only waited for its turn does not count as started", async () => {
    const { cluster, workflows } = await open("waited");
    const workflow = defineWorkflow({
      name: "w",
      limit: { at_once: 1, per: "2/day" },
      steps: [{ id: "a", run: "true" }],
    });
    for (const runId of ["r1", "r2"]) await workflows.submit(workflow, { runId });
    for (const run of ["r2", "r1"]) await workflows.pause(run);
    await workflows.submit(workflow, { runId: "r3" });
    expect(await cluster.database.read("SELECT run, state FROM @admissions ORDER BY run")).toEqual([
      { run: "r1", state: "over" },
      { run: "r3", state: "admitted" },
    ]);
    await workflows.close();
    await cluster.close();
  });

  it("a damaged run does not keep others from moving when they are due", async () => {
    const { store, path, cluster, workflows } = await open("damaged");
    const workflow = defineWorkflow({
      name: "w",
      steps: [{ id: "a", wait: "never", timeout: "1s" }],
    });
    for (const runId of ["a", "b", "c"]) await workflows.submit(workflow, { runId });
    await cluster.database.write(
      "UPDATE @objects SET data = '\\x00' WHERE id IN (SELECT head FROM @trails WHERE name = 'run/a')",
    );
    const end = new AbortController();
    const notes: string[] = [];
    const onNote = (note: string) => void notes.push(note);
    const working = runWorker({
      store,
      path,
      workflows: [workflow],
      signal: end.signal,
      onNote,
      now: () => new Date(),
    });
    try {
      await until("the others ended", async () => {
        const runs = await cluster.database.read<{ run: string }>("SELECT run FROM @active_runs");
        return runs.length === 1 && runs[0]?.run === "a";
      });
    } finally {
      end.abort();
      await working;
    }
    await workflows.close();
    await cluster.close();
  });
});

describe.runIf(programs)("a priority", () => {
  it("lets the steps of a run be taken before those of others that came first", async () => {
    const server = await startServer(programs as string);
    const folder = mkdtempSync(join(tmpdir(), "cairn-priority-"));
    try {
      const store = { url: server.url, schema: "priority" };
      await migratePostgresStore(store);
      const cluster = await openCluster(store);
      await migrateCluster(cluster.database);
      const order: string[] = [];
      const workflow = defineWorkflow({
        name: "w",
        steps: [{ id: "a", run: ({ run_id }) => void order.push(run_id) }],
      });
      const path = join(folder, ".cairn");
      const workflows = await openWorkflows({ store, path });
      for (const [runId, priority] of [
        ["low", -5],
        ["plain", undefined],
        ["urgent", 10],
      ] as const)
        await workflows.submit(workflow, { runId, priority });
      const end = new AbortController();
      const now = () => new Date();
      const working = runWorker({ store, path, workflows: [workflow], slots: 1, signal: end.signal, now });
      await until("all three", () => order.length === 3);
      end.abort();
      await working;
      await workflows.close();
      await cluster.close();
      expect(order).toEqual(["urgent", "plain", "low"]);
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe("a limit", () => {
  it("is refused when it limits nothing, or names no input or a secret one", () => {
    const define = (limit: object) => () =>
      defineWorkflow({
        name: "w",
        inputs: { tenant: {}, key: { secret: true } },
        limit,
        steps: [{ id: "a", run: "true" }],
      });
    expect(define({})).toThrow("The limit limits nothing.");
    expect(define({ at_once: 1, key: "tennant" })).toThrow('There is no input "tennant".');
    expect(define({ at_once: 1, key: "key" })).toThrow("is a secret input");
    expect(define({ per: "10 a minute" })).toThrow("a number of runs in a time");
    expect(define({ per: "10/min", at_once: 2, key: "tenant" })().limit).toEqual({
      key: "tenant",
      at_once: 2,
      per: "10/min",
    });
  });
});
