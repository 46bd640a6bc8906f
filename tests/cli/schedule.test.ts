import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { openCairn } from "../../src/work/state/cairn.ts";
import { Sandbox } from "./support/sandbox.ts";
import { until } from "./support/until.ts";

let box: Sandbox;
beforeEach(() => {
  box = new Sandbox();
});
afterEach(() => box.remove());

describe("checkpoint schedule", () => {
  it("adds, lists and removes, and says when each is due", () => {
    box.write("report.yaml", "name: report\nsteps: [{ id: a, run: 'true' }]\n");
    expect(box.see("schedule")).toMatchInlineSnapshot(
      `"! No schedules. To add one: checkpoint schedule add "0 7 * * 1-5" FILE"`,
    );
    expect(box.see("schedule", "add", "0 7 * * 1-5", "report.yaml", "--timezone", "Europe/Berlin"))
      .toMatchInlineSnapshot(`
      "report runs report.yaml, next at 2026-01-26 07:00 Europe/Berlin
      ! Created PROJECT/.cairn, which keeps itself out of git.
      ! It starts while this is running: checkpoint schedule run"
    `);
    box.run(["schedule", "add", "*/10 * * * *", "report.yaml", "--name", "often", "--timezone", "UTC"]);
    expect(box.see("schedule")).toMatchInlineSnapshot(`
      "often   */10 * * * *  report.yaml  next 2026-01-23 12:10 UTC
      report  0 7 * * 1-5   report.yaml  next 2026-01-26 07:00 Europe/Berlin"
    `);
    expect(box.see("schedule", "remove", "reprot")).toMatchInlineSnapshot(`
      "! error: There is no schedule "reprot".
      ! hint: Did you mean "report"?
      [exit 3]"
    `);
    expect(box.see("schedule", "remove", "report")).toMatchInlineSnapshot(`"Removed report; its runs stay."`);
  });

  it("takes the file from the folder that it is typed in", () => {
    box.write("flows/report.yaml", "name: report\nsteps: [{ id: a, run: 'true' }]\n");
    box.run(["now"]);
    const cwd = join(box.folder, "flows");
    const added = box.run(["schedule", "add", "0 7 * * *", "report.yaml", "--timezone", "UTC"], { cwd });
    expect(added.stdout).toContain("report runs flows/report.yaml, next at");
  });

  it("checks the times, the workflow and its inputs when it is added", () => {
    box.write(
      "w.yaml",
      "name: w\ninputs: { who: { required: true }, key: { secret: true } }\nsteps: [{ id: a, run: 'true' }]\n",
    );
    expect(box.see("schedule", "add", "61 * * * *", "w.yaml", "--timezone", "UTC")).toMatchInlineSnapshot(`
      "! error: "61 * * * *" in UTC is not a schedule. Invalid value for minute: 61
      ! hint: Minute, hour, day, month, weekday: "0 7 * * 1-5" is seven in the morning on workdays
      [exit 2]"
    `);
    expect(box.see("schedule", "add", "0 7 * * *", "none.yaml")).toMatchInlineSnapshot(`
      "! error: The workflow "none.yaml" cannot be read: there is no such file.
      ! hint: Check the path, or try a template: checkpoint templates
      [exit 3]"
    `);
    expect(box.see("schedule", "add", "0 7 * * *", "w.yaml")).toMatchInlineSnapshot(`
      "! error: Workflow "w" needs a value for "who".
      ! hint: --input who=…
      [exit 2]"
    `);
    const secret = ["--input", "who=Ada", "--input", "key=s3cr3t"];
    expect(box.see("schedule", "add", "0 7 * * *", "w.yaml", ...secret)).toMatchInlineSnapshot(`
      "! error: "key" is a secret input: a schedule would store it.
      ! hint: Set $INPUT_KEY where the run runs, and leave it out here.
      [exit 2]"
    `);
  });

  it("starts nothing of schedules that came with a repository, until the user agrees", async () => {
    box.write("tick.yaml", "name: tick\nsteps: [{ id: a, run: 'echo ran >> ran' }]\n");
    box.run(["schedule", "add", "* * * * * *", "tick.yaml", "--timezone", "UTC"]);
    const { CAIRN_TEST_NOW: _, ...own } = box.environment();
    const env = { ...own, XDG_STATE_HOME: join(box.folder, "another user") };
    const launcher = resolve("bin/checkpoint.js");
    const start = (...args: string[]) =>
      spawn(process.execPath, [launcher, "schedule", "run", ...args], { cwd: box.folder, env });
    const refused = start();
    let told = "";
    refused.stderr.on("data", (part: Buffer) => (told += part.toString()));
    expect(await once(refused, "exit")).toEqual([4, null]);
    expect(told).toContain("tick (* * * * * *) tick.yaml\n  a: echo ran >> ran");
    expect(told).toContain("checkpoint schedule run --trust");
    expect(existsSync(join(box.folder, "ran"))).toBe(false);
    for (const args of [["--trust"], []]) {
      rmSync(join(box.folder, "ran"), { force: true });
      const agreed = start(...args);
      const ended = once(agreed, "exit");
      try {
        await until("a tick", () => existsSync(join(box.folder, "ran")));
        agreed.kill("SIGINT");
        expect(await ended).toEqual([130, null]);
      } finally {
        agreed.kill("SIGKILL");
      }
    }
  });

  it("starts what is due beside a schedule that cannot be read", async () => {
    box.write("tick.yaml", "name: tick\nsteps: [{ id: a, run: 'echo ran >> ran' }]\n");
    const added = { cron: "* * * * * *", timezone: "UTC", file: "tick.yaml", inputs: {} };
    const schedule = { ...added, missed: "last", after: new Date(0).toISOString(), by: "person" };
    box.run(["schedule", "add", added.cron, "tick.yaml", "--timezone", "UTC"]);
    const { CAIRN_TEST_NOW: _, ...env } = box.environment();
    const cairn = await openCairn({ path: join(box.folder, ".cairn") });
    await cairn.trail<{ schedules: unknown[] }>("schedules").commit(
      (state) => {
        state.schedules = [
          { ...schedule, name: "broken", timezone: "Nowhere/None" },
          { ...schedule, name: "gone", file: "gone.yaml" },
          ...state.schedules,
        ];
      },
      { trigger: "manual" },
    );
    await cairn.close();
    const launcher = resolve("bin/checkpoint.js");
    const started = spawn(process.execPath, [launcher, "schedule", "run", "--trust"], {
      cwd: box.folder,
      env,
    });
    let told = "";
    started.stderr.on("data", (part: Buffer) => (told += part.toString()));
    const ended = once(started, "exit");
    try {
      const ticks = () => readFileSync(join(box.folder, "ran"), "utf8").trim().split("\n").length;
      await until("two ticks", () => existsSync(join(box.folder, "ran")) && ticks() >= 2);
    } finally {
      started.kill("SIGINT");
    }
    expect(await ended).toEqual([130, null]);
    expect(told.match(/Schedule "broken" could not be started/g)).toHaveLength(1);
    expect(told).toContain("gone.yaml");
  });

  it("starts the run of each time once, with two processes of which one is killed, and pauses with Ctrl-C", async () => {
    box.write("tick.yaml", `name: tick\nsteps: [{ id: a, run: 'echo "$CAIRN_RUN_ID" >> ticks' }]\n`);
    const { CAIRN_TEST_NOW: _, ...env } = box.environment();
    const launcher = resolve("bin/checkpoint.js");
    const start = (...args: string[]) =>
      spawn(process.execPath, [launcher, ...args], { cwd: box.folder, env, stdio: "ignore" });
    const added = start(
      "schedule",
      "add",
      "* * * * * *",
      "tick.yaml",
      "--timezone",
      "UTC",
      "--missed",
      "all",
    );
    expect(await once(added, "exit")).toEqual([0, null]);
    const file = join(box.folder, "ticks");
    const ticks = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : []);
    const [first, second] = [start("schedule", "run"), start("schedule", "run")];
    try {
      await until("two ticks", () => ticks().length >= 2);
      const killed = once(first, "exit");
      first.kill("SIGKILL");
      await killed;
      const before = ticks().length;
      await until("three more", () => ticks().length >= before + 3);
      const ended = once(second, "exit");
      second.kill("SIGINT");
      expect(await ended).toEqual([130, null]);
    } finally {
      first.kill("SIGKILL");
      second.kill("SIGKILL");
    }
    const names = ticks();
    expect(new Set(names).size).toBe(names.length);
  });
});
