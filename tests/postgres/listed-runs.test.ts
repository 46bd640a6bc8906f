import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { publishedSchemas } from "../../scripts/schemas/publish.ts";
import { violations } from "../cli/support/validate.ts";
import { openMachines, type Machines } from "./support/machines.ts";
import { findPostgres } from "./support/server.ts";

const programs = findPostgres();

const PICKY = `
name: picky
steps:
  - { id: look, run: test -e "$OUT/may-pass" }
`;
const SLOW = `
name: slow
steps:
  - { id: sleep, run: sleep 60 }
`;
const TALK = `
name: talk
steps:
  - { id: talk, run: 'echo hello; while ! test -e "$OUT/talked"; do sleep 0.1; done; printf "half a line"' }
`;
const OTHER = PICKY.replace("picky", "other");

describe.skipIf(programs === undefined)("the runs of a shared store", () => {
  let machines: Machines;
  beforeAll(async () => {
    machines = await openMachines(programs as string);
  });
  afterEach(() => machines.endAll());
  afterAll(() => machines?.close());

  it("are listed by status and number, and those that failed run again together", async () => {
    const { run, migrate, machine, work, until, query, home } = machines;
    const root = machine(undefined, { "picky.yaml": PICKY, "other.yaml": OTHER });
    expect(migrate("listed", root).status).toBe(0);
    for (const id of ["p1", "p2", "p3"]) run("listed", root, "run", "picky.yaml", "--detach", "--run-id", id);
    run("listed", root, "run", "other.yaml", "--detach", "--run-id", "o1");
    const list = (...args: string[]) => {
      const { stdout } = run("listed", root, "runs", "--json", ...args);
      return JSON.parse(stdout) as { runs: { id: string; reason: string }[]; has_more: boolean };
    };
    const ids = (...args: string[]) => list(...args).runs.map(({ id }) => id);
    work("listed", root);
    await until(() => ids("--status", "failed").length === 4);
    expect(list("--status", "failed").runs[0]?.reason).toContain("look");
    expect(ids("--status", "failed", "--workflow", "other")).toEqual(["o1"]);
    expect(ids("--status", "completed")).toEqual([]);
    expect(list("--limit", "3")).toMatchObject({ has_more: true, runs: [{}, {}, {}] });
    expect(list("--all")).toMatchObject({ has_more: false, runs: [{}, {}, {}, {}] });
    expect(run("listed", root, "runs", "--limit", "3").stderr).toContain(
      "There are more: checkpoint runs --all",
    );
    // What a store with many runs asks first, instead of reading all.
    const standing = () => query<{ run: string }>("SELECT run FROM listed.standing_runs ORDER BY run");
    expect((await standing()).map(({ run: id }) => id)).toEqual(["o1", "p1", "p2", "p3"]);

    writeFileSync(join(home, "may-pass"), "");
    expect(existsSync(join(home, "may-pass"))).toBe(true);
    const planned = run("listed", root, "resume", "--failed", "--dry-run", "--workflow", "picky");
    expect(planned.stdout.trim().split("\n").toSorted()).toEqual(["p1", "p2", "p3"]);
    const resumed = run("listed", root, "resume", "--failed", "--workflow", "picky");
    expect(resumed).toMatchObject({ status: 0, stdout: planned.stdout });
    await until(() => ids("--status", "completed").length === 3);
    expect(ids("--status", "failed")).toEqual(["o1"]);
    expect((await standing()).map(({ run: id }) => id)).toEqual(["o1"]);
    expect(run("listed", root, "cancel", "o1").status).toBe(0);
    await until(async () => (await standing()).length === 0);
  }, 120_000);

  it("say why they wait, and workers are listed with what they run", async () => {
    const { run, migrate, machine, work, until, end } = machines;
    const root = machine(undefined, { "slow.yaml": SLOW });
    const clone = machine(root);
    expect(migrate("waiting", root).status).toBe(0);
    const shown = (id: string) => run("waiting", root, "runs", "show", id).stdout;
    const workers = () => JSON.parse(run("waiting", root, "workers", "--json").stdout).workers as object[];

    run("waiting", root, "run", "slow.yaml", "--detach", "--run-id", "known");
    expect(shown("known")).toContain("no worker takes steps from queue default");
    expect(workers()).toEqual([]);
    const worker = work("waiting", clone);
    await until(() => run("waiting", root, "workers").stdout.includes("at known/sleep"));
    expect(workers()).toMatchObject([
      { pid: worker.pid, running: ["known/sleep"], is_alive: true, slots: 4 },
    ]);
    expect(shown("known")).not.toContain("Waits");
    const printed = JSON.parse(run("waiting", root, "workers", "--json").stdout);
    expect(violations(printed, publishedSchemas().get("workers.json") ?? false)).toEqual([]);

    // A commit that the worker's checkout does not have.
    writeFileSync(join(root, "more.txt"), "");
    execFileSync("git", ["add", "."], { cwd: root });
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", "commit", "-qm", "more"], {
      cwd: root,
    });
    run("waiting", root, "run", "slow.yaml", "--detach", "--run-id", "unknown");
    await until(() => shown("unknown").includes("is not part of this checkout: update it"));

    await end(worker, "SIGKILL");
    await until(() => run("waiting", root, "workers").stdout.includes("gone"));
  }, 120_000);

  it("show what a step prints while it runs, on another machine", async () => {
    const { run, start, migrate, machine, work, until } = machines;
    const root = machine(undefined, { "talk.yaml": TALK });
    expect(migrate("talking", root).status).toBe(0);
    work("talking", machine(root));
    run("talking", root, "run", "talk.yaml", "--detach", "--run-id", "t");
    await until(() => run("talking", root, "runs", "logs", "t").stdout.includes("hello"));
    const following = start("talking", root, "runs", "logs", "t", "--follow");
    let printed = "";
    following.stdout.on("data", (data) => (printed += String(data)));
    await until(() => printed.includes("hello"));
    expect(run("talking", root, "runs", "show", "t").stdout).toContain("running");
    writeFileSync(join(machines.home, "talked"), "");
    await until(() => following.exitCode !== null);
    expect(printed).toBe("==> talk, attempt 1 <==\nhello\nhalf a line");
    expect(run("talking", root, "runs", "logs", "t", "talk").stdout).toBe("hello\nhalf a line");
  }, 120_000);
});
