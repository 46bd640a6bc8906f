import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type * as Library from "../../src/doors/library/index.ts";
import type * as Asking from "../../src/work/project/gate.ts";
import type * as Verbs from "../../src/doors/library/project.ts";
import type * as Gate from "../../src/capabilities/governance/project-gate/open-governance.ts";
import type * as Verifying from "../../src/capabilities/governance/ledger/verify-ledger.ts";
import { atLeast, atMost, type Bench, type Figure } from "../figure.ts";
import { median, Samples } from "../measure.ts";
import { timeAndCpu } from "../units.ts";

// The build, because what is measured must be what ships.
const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href;

const SAVES = 500;
const DECISIONS = 2_000;
const ENTRIES = 50_000;

export const governance: Figure = {
  name: "governance",
  title: `The gate and the ledger: ${SAVES} saves by an agent with governance on and off, in turn`,
  measure: async (bench) => {
    bench.progress.step("governance");
    const verbs = (await import(built("doors/library/project.js"))) as typeof Verbs;
    const { openGovernance } = (await import(
      built("capabilities/governance/project-gate/open-governance.js")
    )) as typeof Gate;
    const { verifyLedger } = (await import(
      built("capabilities/governance/ledger/verify-ledger.js")
    )) as typeof Verifying;
    const [on, off] = [projectIn(bench, verbs, "governance: on\n"), projectIn(bench, verbs, "keep: 50\n")];
    const [governed, plain, deciding, verifying] = [
      new Samples(),
      new Samples(),
      new Samples(),
      new Samples(),
    ];
    // Compared pair by pair, in CPU time: the disk, which is the same for both, would only blur it.
    for (let i = 0; i < SAVES; i++) {
      await plain.time(() => verbs.now(off, { variables: { i: String(i) } }));
      await governed.time(() => verbs.now(on, { variables: { i: String(i) } }));
    }
    const { ledger, ...gate } = await openGovernance(on).then((found) => ({
      ledger: found.ledger,
      ask: () => found.ask({ claimant: { agent: "bench" }, question: { action: "exec.npm" } }),
      append: found.append.bind(found),
    }));
    for (let i = 0; i < DECISIONS; i++) await deciding.time(gate.ask);
    const at = new Date().toISOString();
    const said = {
      type: "action" as const,
      at,
      agent: "bench",
      tier: 0 as const,
      attested: false,
      action: "save",
    };
    const many = Array.from({ length: 100 }, () => said);
    while (ledger.tail.number < ENTRIES) await gate.append(() => many);
    let entries = 0;
    for (let i = 0; i < 5; i++)
      ({ entries } = await verifying.time(() => verifyLedger(ledger.store, ledger.trust)));
    await on.stores.close();
    const starting = await timeAsking(off);
    await off.stores.close();
    return [
      atMost(
        "governance off: what a start pays / node -e 0",
        starting.asking.p50 / starting.node.p50,
        { must: 0.01, digits: 4 },
        `${timeAndCpu(starting.asking)}; node -e 0 ${timeAndCpu(starting.node)}`,
      ),
      atMost("gate decision", deciding.p50 / 1000, { must: 1, unit: " ms", digits: 3 }, timeAndCpu(deciding)),
      atMost(
        "a verb with governance on / off",
        median(governed.cpu.map((cpu, pair) => cpu / (plain.cpu[pair] as number))),
        { must: 1.15 },
        `CPU, median of ${SAVES} pairs; on ${timeAndCpu(governed)}, off ${timeAndCpu(plain)}`,
      ),
      atLeast(
        "ledger verify",
        entries / (verifying.p50 / 1e6),
        { must: 50_000, unit: " entries/s", digits: 0 },
        `${entries} entries, ${timeAndCpu(verifying)}`,
      ),
    ];
  },
};

const STARTS = 30;

/** What every command does where nobody switched governance on: ask whether somebody did, in a store that was just opened. */
async function timeAsking(project: Verbs.Project): Promise<{ asking: Samples; node: Samples }> {
  const { isGoverned } = (await import(built("work/project/what-is-on.js"))) as typeof Asking;
  const { openCairn } = (await import(built("doors/library/index.js"))) as typeof Library;
  const [asking, node] = [new Samples(), new Samples()];
  for (let i = 0; i < STARTS; i++) {
    await node.time(() => spawnSync(process.execPath, ["-e", "0"]));
    const cairn = await openCairn({ path: project.folder });
    if (await asking.time(() => isGoverned(project, cairn))) throw new Error("Governance should be off.");
    await cairn.close();
  }
  return { asking, node };
}

function projectIn({ place }: Bench, verbs: typeof Verbs, config: string): Verbs.Project {
  const home = place.newFolder();
  const path = join(home, "project");
  mkdirSync(path);
  writeFileSync(join(path, "cairn.yaml"), config);
  return verbs.openProject({ path, agent: "bench", env: { HOME: home } });
}
