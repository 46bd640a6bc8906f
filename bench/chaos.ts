// node bench/chaos.ts: how soon chaos finds seeded bugs, how small it makes the schedules, and whether it raises false alarms.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chaos } from "../src/capabilities/chaos/chaos.ts";
import { thisMachine } from "../src/work/machine/this-machine.ts";
import { CORRECT, SEEDED_BUGS } from "../tests/chaos/pipelines.ts";

const SEEDS = [1, 2, 3];
const root = mkdtempSync(join(tmpdir(), "cairn-bench-chaos-"));
const project = { root, env: process.env, now: () => new Date(), machine: thisMachine };
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

try {
  let found = 0;
  for (const [name, { test, breaks }] of Object.entries(SEEDED_BUGS)) {
    for (const seed of SEEDS) {
      const { findings } = await chaos(project, test, { runs: 200, seed });
      const finding = findings.find(({ invariant }) => invariant === breaks);
      if (finding !== undefined && finding.smallest.length <= 3) found++;
      const how =
        finding === undefined
          ? "not found in 200"
          : `run ${finding.first_run}, ${finding.found.length} -> ${finding.smallest.length} events (${finding.smallest.join(", ")}) in ${finding.tries} tries`;
      console.log(`seed ${seed}  ${name}: ${how}`);
    }
  }
  console.log(
    `seeded bugs found within 200 and shrunk to 3 or fewer: ${found} of ${Object.keys(SEEDED_BUGS).length * SEEDS.length}`,
  );
  const [cpu, wall] = [cpuMs(), performance.now()];
  const { findings, runs, struck } = await chaos(project, CORRECT, { runs: 1000 });
  const each = (ms: number) => (ms / runs).toFixed(1);
  const strikes = Object.values(struck).reduce((sum, times) => sum + times, 0);
  console.log(`a correct pipeline: ${runs} schedules, ${strikes} strikes, ${findings.length} false alarms`);
  console.log(
    `a schedule: ${each(cpuMs() - cpu)} ms of processor time, ${each(performance.now() - wall)} ms in all`,
  );
  for (const { invariant, reason, smallest } of findings)
    console.log(`  ${invariant}: ${reason} ${smallest.join(", ")}`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
