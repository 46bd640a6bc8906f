import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { openMachines, type Machines } from "./support/machines.ts";
import { findPostgres } from "./support/server.ts";

const programs = findPostgres();
const WORKFLOW = "name: w\nsteps: [{ id: long, run: 'sleep 3' }]\n";

describe.skipIf(programs === undefined)("a signal", () => {
  let machines: Machines;
  let root: string;
  beforeAll(async () => {
    machines = await openMachines(programs as string);
    root = machines.machine(undefined, { "w.yaml": WORKFLOW });
    machines.migrate("signals", root);
  });
  afterEach(() => machines.endAll());
  afterAll(() => machines?.close());

  const said = (text: string) => machines.logs.join("").includes(text);
  const statusOf = (id: string) => machines.show("signals", root, id).run.status;
  /** A worker that runs the step of a run, and who watches it. */
  const begin = async (id: string, ...args: string[]) => {
    const worker = machines.work("signals", root);
    const watcher = machines.start("signals", root, "run", "w.yaml", "--run-id", id, "--fresh", ...args);
    await machines.until(() => said(`${id}/long/1 starts`));
    return { worker, watcher };
  };

  it("to `run` ends the watching, and says so; the run goes on", async () => {
    const { watcher } = await begin("watched");
    await machines.end(watcher, "SIGINT");
    expect(watcher.exitCode).toBe(130);
    expect(said("Stopped watching. Workers continue the run: checkpoint runs watch watched")).toBe(true);
    expect(statusOf("watched")).toBe("running");
    await machines.until(() => said("watched/long/1 completed"));
    await machines.until(() => statusOf("watched") === "completed");
  });

  it("to `run --pause` pauses the run", async () => {
    const { watcher } = await begin("paused", "--pause");
    await machines.end(watcher, "SIGINT");
    expect(watcher.exitCode).toBe(130);
    await machines.until(() => said("paused/long/1 was stopped"));
    expect(statusOf("paused")).toBe("paused");
    expect(said("paused/long/1 completed")).toBe(false);
  });

  it("to a worker lets it finish what it runs, and nothing more", async () => {
    const { worker } = await begin("drained");
    await machines.end(worker, "SIGTERM");
    expect(worker.exitCode).toBe(0);
    expect(said("drained/long/1 completed")).toBe(true);
    expect(statusOf("drained")).toBe("completed");
  });

  it("to a worker that drains ends it at once, and another takes over", async () => {
    const { worker } = await begin("dropped");
    const before = machines.logs.length;
    worker.kill("SIGTERM");
    await machines.until(() => machines.logs.slice(before).join("").includes("Draining"));
    const ended = once(worker, "exit");
    worker.kill("SIGTERM");
    await ended;
    expect(worker.exitCode).not.toBe(0);
    expect(statusOf("dropped")).toBe("running");
    machines.work("signals", root);
    await machines.until(() => said("dropped/long/2 starts"));
  });
});
