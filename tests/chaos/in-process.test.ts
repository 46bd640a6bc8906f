import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { chaos, type ChaosOptions } from "../../src/capabilities/chaos/chaos.ts";
import type { ChaosTest } from "../../src/capabilities/chaos/chaos-file.ts";
import { parseEvent } from "../../src/capabilities/chaos/schedule.ts";
import { thisMachine } from "../../src/work/machine/this-machine.ts";
import { CORRECT, SEEDED_BUGS } from "./pipelines.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "cairn-chaos-test-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const play = (test: ChaosTest, options: ChaosOptions = {}) =>
  chaos({ root, env: process.env, now: () => new Date(), machine: thisMachine }, test, options);

describe("a pipeline with a bug", () => {
  it.each(Object.entries(SEEDED_BUGS))(
    "shows it, and what is left of the schedule shows it again: %s",
    async (_, { test, breaks }) => {
      const { findings } = await play(test, { runs: 60 });
      const found = findings.find(({ invariant }) => invariant === breaks);
      expect(found?.smallest.length).toBeLessThanOrEqual(3);
      const replayed = await play(test, { replay: found!.smallest.map(parseEvent) });
      expect(replayed).toMatchObject({ runs: 1 });
      expect(replayed.findings.map(({ invariant }) => invariant)).toContain(breaks);
    },
  );
});

describe("a correct pipeline", () => {
  it("raises no alarm, though every fault of the tier strikes", async () => {
    const { findings, struck, runs } = await play(CORRECT, { runs: 100 });
    expect({ findings, runs }).toEqual({ findings: [], runs: 100 });
    expect(Object.keys(struck)).toEqual([
      "kill",
      "kill-after-effect",
      "fail",
      "fail-after-effect",
      "slow",
      "twice",
      "late",
      "contradict",
    ]);
  });

  it("is struck by the same schedules for the same seed", async () => {
    const [one, same, other] = [
      await play(CORRECT, { runs: 20, seed: 5 }),
      await play(CORRECT, { runs: 20, seed: 5 }),
      await play(CORRECT, { runs: 20, seed: 6 }),
    ];
    expect(one.struck).toEqual(same.struck);
    expect(one.struck).not.toEqual(other.struck);
  });
});
