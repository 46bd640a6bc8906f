import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { makeAuthorityKey } from "../../src/capabilities/governance/keys/authority-file.ts";
import { defineWorkflow, runWorker } from "../../src/doors/library/workflow/index.ts";
import * as verbs from "../../src/doors/library/project.ts";
import { openRuns } from "../../src/capabilities/workflow/verbs/open-runs.ts";
import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import { clusterOf } from "../../src/capabilities/workers/cluster-of.ts";
import type { Cluster } from "../../src/capabilities/workers/cluster.ts";
import { migrateCluster } from "../../src/capabilities/workers/dispatcher.ts";
import { startOnWorkers } from "../../src/capabilities/workers/run-on-workers.ts";
import { findPostgres, startServer, type TestServer } from "./support/server.ts";

const programs = findPostgres();

describe.skipIf(programs === undefined)("a worker inside of a program, at a governed store", () => {
  let server: TestServer;
  const home = mkdtempSync(join(tmpdir(), "cairn-library-worker-"));
  const folder = join(home, "project");
  const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
  const open: verbs.Project[] = [];
  const now = () => new Date();
  const as = (more: Record<string, string> = {}): verbs.Project => {
    const store = `${server.url}?schema=governed`;
    const project = verbs.openProject({ path: folder, env: { ...env, CHECKPOINT_STORE: store, ...more } });
    open.push(project);
    return project;
  };
  const canary = join(home, "canary");
  const workflow = defineWorkflow({
    name: "w",
    steps: [{ id: "one", run: () => writeFileSync(canary, "ran") }],
  });
  const work = (agent: Record<string, string>, signal: AbortSignal) =>
    runWorker({
      store: { url: server.url, schema: "governed" },
      path: join(folder, ".cairn"),
      workflows: [workflow],
      env: { ...env, ...agent },
      signal,
      now,
    });

  beforeAll(async () => {
    server = await startServer(programs as string);
    await migratePostgresStore({ url: server.url, schema: "governed" });
    mkdirSync(folder);
    writeFileSync(join(folder, "cairn.yaml"), "governance: on\n");
  }, 60_000);
  afterAll(async () => {
    await Promise.all(open.map(({ stores }) => stores.close()));
    await server?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it("asks the gate for its steps, as the agent that it is", async () => {
    const owner = { env, userId: process.geteuid?.() };
    const key = makeAuthorityKey(owner, "correct horse battery", { N: 1024, r: 8, p: 1 });
    await verbs.authorityInit(as(), async () => key);
    const agent = async (name: string, to: 1 | 2) => {
      const { token } = await verbs.agentRegister(as(), name);
      await verbs.agentPromote(as(), { agent: name, to }, async () => key);
      return { CHECKPOINT_AGENT: name, CHECKPOINT_AGENT_TOKEN: token };
    };
    const [intern, lead] = [await agent("intern", 1), await agent("lead", 2)];
    const starter = as(lead);
    const cluster = (await clusterOf(starter)) as Cluster;
    await migrateCluster(cluster.database);
    const ended = startOnWorkers(await openRuns(starter, "create"), cluster, workflow, { runId: "r" });

    const end = new AbortController();
    await expect(work(intern, end.signal)).rejects.toMatchObject({
      code: "refused",
      message: 'intern may not do "run.work": it needs T2, and this is T1.',
    });
    expect(existsSync(canary)).toBe(false);

    const working = work(lead, end.signal);
    expect(await ended).toMatchObject({ status: "completed" });
    end.abort();
    await working;
    expect(existsSync(canary)).toBe(true);
    const entries = await verbs.ledger(as(), { agent: "lead" });
    expect(entries.map(({ entry }) => entry["action"])).toContain("run.step");
    expect((await verbs.verify(as(), {})).unrecorded).toEqual([]);
  });
});
