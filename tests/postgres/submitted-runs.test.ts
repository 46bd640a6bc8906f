import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { migratePostgresStore } from "../../src/capabilities/postgres/store.ts";
import { openCluster } from "../../src/capabilities/workers/cluster.ts";
import { migrateCluster } from "../../src/capabilities/workers/dispatcher.ts";
import {
  defineWorkflow,
  openWorkflows,
  runWorker,
  type Workflows,
} from "../../src/doors/library/workflow/index.ts";
import { openMachines, type Machines } from "./support/machines.ts";
import { findPostgres } from "./support/server.ts";

const programs = findPostgres();

describe.runIf(programs)("a run that is handed in", () => {
  let machines: Machines;
  const folder = mkdtempSync(join(tmpdir(), "cairn-submitted-"));
  const open: Workflows[] = [];
  beforeAll(async () => {
    machines = await openMachines(programs as string);
  }, 60_000);
  afterEach(async () => {
    for (const workflows of open.splice(0)) await workflows.close();
    await machines.endAll();
  });
  afterAll(async () => {
    await machines.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const shared = async (schema: string) => {
    const store = { url: machines.server.url, schema };
    await migratePostgresStore(store);
    const cluster = await openCluster(store);
    await migrateCluster(cluster.database);
    await cluster.close();
    return store;
  };
  const program = async (store: { url: string; schema: string }) => {
    const workflows = await openWorkflows({ store, path: join(folder, ".cairn") });
    open.push(workflows);
    return workflows;
  };

  it("is done by workers once, however often programs hand it in", async () => {
    const store = await shared("submitted");
    const done: string[] = [];
    const greet = defineWorkflow({
      name: "greet",
      inputs: { who: { required: true } },
      steps: [{ id: "say", run: ({ inputs }) => void done.push(inputs["who"]!) }],
    });
    const programs = await Promise.all([1, 2, 3].map(() => program(store)));
    const hand = (workflows: Workflows) =>
      workflows.submit(greet, { runId: "order-17", inputs: { who: "Ada" } });
    const answers = await Promise.all([...programs, ...programs].map(hand));
    expect(answers.map(({ run }) => run.id)).toEqual(Array.from({ length: 6 }, () => "order-17"));
    expect(answers.filter(({ isNew }) => isNew)).toHaveLength(1);

    const end = new AbortController();
    const now = () => new Date();
    const path = join(folder, ".cairn");
    const working = runWorker({ store, path, workflows: [greet], signal: end.signal, now });
    await machines.until(async () => (await hand(programs[0]!)).run.status === "completed");
    expect((await hand(programs[1]!)).isNew).toBe(false);
    end.abort();
    await working;
    expect(done).toEqual(["Ada"]);
  });

  it("is refused under a name that stands for something else, and without a shared store", async () => {
    const store = await shared("keys");
    const flow = (name: string) =>
      defineWorkflow({ name, inputs: { who: { default: "Ada" } }, steps: [{ id: "say", run: () => null }] });
    const workflows = await program(store);
    await workflows.submit(flow("greet"), { runId: "k" });
    expect(await workflows.submit(flow("greet"), { runId: "k", inputs: { who: "Ada" } })).toMatchObject({
      isNew: false,
    });
    await expect(
      workflows.submit(flow("greet"), { runId: "k", inputs: { who: "Bo" } }),
    ).rejects.toMatchObject({
      code: "conflict",
      message: 'There is already a run "k", with other inputs.',
    });
    await expect(workflows.submit(flow("leave"), { runId: "k" })).rejects.toMatchObject({
      code: "conflict",
      message: 'There is already a run "k", of the workflow "greet".',
    });
    const local = await openWorkflows({ path: join(folder, "local/.cairn") });
    open.push(local);
    await expect(local.submit(flow("greet"))).rejects.toMatchObject({ code: "usage" });
  });

  it("waits for a signal without a worker being busy with it, and takes one that came first", async () => {
    const store = await shared("signals");
    const order = defineWorkflow({
      name: "order",
      steps: [
        { id: "paid", wait: "payment" },
        { id: "sent", wait: "parcel" },
        { id: "done", run: ({ results }) => results },
      ],
    });
    const workflows = await program(store);
    await workflows.submit(order, { runId: "o" });
    await workflows.signal("o", { name: "parcel", data: "p1", id: "e1" });
    const end = new AbortController();
    const path = join(folder, ".cairn");
    const now = () => new Date();
    const working = runWorker({ store, path, workflows: [order], slots: 1, signal: end.signal, now });
    const [first, second] = await Promise.all(
      [1, 2].map(() => workflows.signal("o", { name: "payment", data: 12, id: "e2" })),
    );
    expect([first, second].filter((sent) => sent!.isNew)).toHaveLength(1);
    const status = async () => (await workflows.submit(order, { runId: "o" })).run;
    await machines.until(async () => (await status()).status === "completed");
    const { steps } = await status();
    expect(steps.find(({ id }) => id === "done")?.result).toEqual({ paid: 12, sent: "p1" });
    end.abort();
    await working;
  });

  it("comes from the command too, which prints its name and ends", () => {
    const { run, machine, migrate, show } = machines;
    const a = machine(undefined, {
      "w.yaml": "name: w\ninputs: { who: { default: Ada } }\nsteps: [{ id: a, run: echo }]\n",
    });
    expect(migrate("detached", a).status).toBe(0);
    const first = run("detached", a, "run", "w.yaml", "--detach", "--run-id", "k");
    expect([first.status, first.stdout]).toEqual([0, "k\nTo follow it: checkpoint runs watch k\n"]);
    const again = run("detached", a, "run", "w.yaml", "--detach", "--run-id", "k");
    expect([again.status, again.stderr]).toEqual([
      0,
      'Run "k" was handed in before: nothing new was started.\n',
    ]);
    const other = run("detached", a, "run", "w.yaml", "--detach", "--run-id", "k", "--input", "who=Bo");
    expect([other.status, other.stderr]).toEqual([
      6,
      'error: There is already a run "k", with other inputs.\nhint: checkpoint runs show k\n',
    ]);
    expect(show("detached", a, "k").run.status).toBe("running");
    const wrong = run("detached", a, "run", "w.yaml", "--detach", "--local");
    expect(wrong.status).toBe(2);
  });
});
