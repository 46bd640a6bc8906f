import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { installedPeers, installProduct, LANGGRAPH } from "../../scripts/peers.ts";
import { randomFrom } from "../../tests/faults/support/random.ts";
import { cutOften, FILE_SYSTEMS } from "../support/cut-often.ts";
import { makeHolder, whyNoLiveDisks } from "../support/images.ts";
import { atLeast, none, number, type Part } from "../support/part.ts";
import type { Workload } from "../support/workloads.ts";

const CUTS_PER_DISK = 18;
const OFFICIAL = "SqliteSaver";

export const savers: Part = {
  name: "savers",
  about: "power cuts while the checkpointer for LangGraph saves, the official one on SQLite beside it",
  proves: ["src/capabilities/langgraph", "src/core/store"],
  whyNot: whyNoLiveDisks,
  run: async (world) => {
    const folder = installedPeers(LANGGRAPH);
    installProduct(folder);
    cpSync("proof/support/savers", join(folder, "proof"), { recursive: true });
    const program = join(folder, "proof/writer.mjs");
    const holder = makeHolder(world.folder);
    const random = randomFrom(world.seed);
    const wanted = world.isQuick ? 6 : 108;
    let [cuts, acknowledged] = [0, 0];
    const found: string[] = [];
    try {
      while (cuts < wanted) {
        const kind = FILE_SYSTEMS[Math.floor(cuts / CUTS_PER_DISK) % FILE_SYSTEMS.length] ?? "ext4";
        const some = Math.min(world.isQuick ? 2 : CUTS_PER_DISK, wanted - cuts);
        const place = { world, holder: holder.folder, kind, cuts: some, random, first: cuts };
        const ended = await cutOften(place, (disk) => [
          saverWorkload(disk, "CairnSaver", program),
          saverWorkload(disk, OFFICIAL, program),
        ]);
        cuts += some;
        acknowledged += ended.acknowledged;
        found.push(...ended.problems);
      }
    } finally {
      holder.remove();
    }
    const theirs = found.filter((problem) => problem.includes(OFFICIAL));
    none(
      found.filter((problem) => !theirs.includes(problem)),
      "lost or damaged after a power cut",
    );
    atLeast(cuts * 2, acknowledged, "acknowledgements");
    return [
      {
        fault: "power cut while CairnSaver saves a thread's steps and writes (ext4, xfs, btrfs)",
        count: `${number(cuts)} cuts, ${number(acknowledged)} acknowledgements of both`,
        outcome: "0 lost, 0 damaged",
        control: `SqliteSaver as it is, beside it: lost acknowledged steps in ${new Set(theirs).size} of ${number(cuts)} cuts`,
      },
    ];
  },
};

/** A process that saves one step after the other. */
function saverWorkload(disk: string, name: string, program: string): Workload {
  const folder = join(disk, name);
  mkdirSync(folder);
  const child = spawn(process.execPath, [program, "write", name, folder], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let last = 0;
  let cut = 0;
  child.on("message", (told) => {
    last = (told as { step: number }).step;
  });
  return {
    name,
    count: () => last,
    check: () => {
      const [acknowledged, number] = [last, ++cut];
      return async (copy) => {
        const args = [program, "read", name, join(copy, name)];
        const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
        const read = JSON.parse(stdout || "{}") as { last?: number; problems?: string[] };
        const problems = read.problems ?? [stderr];
        if ((read.last ?? 0) < acknowledged)
          problems.push(`step ${acknowledged} was acknowledged, ${read.last ?? 0} is there`);
        return problems.length === 0 ? [] : [`cut ${number}: ${problems.join("; ")}`];
      };
    },
    pause: (isPaused) => {
      child.kill(isPaused ? "SIGSTOP" : "SIGCONT");
    },
    stop: async () => {
      if (child.exitCode !== null) throw new Error(`${name} ended by itself, with status ${child.exitCode}.`);
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}
