import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { openMachines, type Machines } from "./support/machines.ts";
import { findPostgres } from "./support/server.ts";

const programs = findPostgres();

describe.runIf(programs)("a schedule in a shared store", () => {
  let machines: Machines;
  beforeAll(async () => {
    machines = await openMachines(programs as string);
  }, 60_000);
  afterEach(() => machines.endAll());
  afterAll(() => machines.close());

  it("starts the run of each time once, with three workers of which one is killed", async () => {
    const { run, work, machine, migrate, until, end, home } = machines;
    const a = machine(undefined, {
      "tick.yaml": 'name: tick\nsteps: [{ id: a, run: \'echo "$CAIRN_RUN_ID" >> "$OUT/ticks"\' }]\n',
    });
    expect(migrate("ticks", a).status).toBe(0);
    const added = run(
      "ticks",
      a,
      "schedule",
      "add",
      "* * * * * *",
      "tick.yaml",
      "--missed",
      "all",
      "--timezone",
      "UTC",
    );
    expect([added.status, added.stderr]).toEqual([0, ""]);
    const ticks = () => {
      try {
        return readFileSync(join(home, "ticks"), "utf8").trim().split("\n");
      } catch {
        return [];
      }
    };
    const [first] = [work("ticks", a), work("ticks", a), work("ticks", a)];
    await until(() => ticks().length >= 3);
    await end(first, "SIGKILL");
    const before = ticks().length;
    await until(() => ticks().length >= before + 8);
    expect(run("ticks", a, "schedule", "remove", "tick").status).toBe(0);
    const runs = JSON.parse(run("ticks", a, "runs", "--all", "--json").stdout) as { runs: { id: string }[] };
    const names = runs.runs.map(({ id }) => id).toSorted();
    expect(new Set(names).size).toBe(names.length);
    const secondOf = (id: string) =>
      Date.parse(id.replace(/^tick-(....)(..)(..)-(..)(..)(..)Z$/, "$1-$2-$3T$4:$5:$6Z")) / 1000;
    // No second between the first and the last is left out.
    expect(secondOf(names.at(-1)!) - secondOf(names[0]!)).toBe(names.length - 1);
    // A step that was under way in the worker that was killed may have run again; each other one ran once.
    const done = ticks();
    expect(done.length - new Set(done).size).toBeLessThanOrEqual(4);
  });
});
