import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { integer, randomFrom, type Random } from "../../tests/faults/support/random.ts";
import { makeHolder, makeLiveDisk, whyNoLiveDisks, type FileSystem } from "../support/images.ts";
import { atLeast, none, number, type Part, type World } from "../support/part.ts";
import { bundleProgram, NOT_SYNCED } from "../support/programs.ts";
import {
  hookWorkload,
  libraryWorkload,
  nowWorkload,
  runWorkload,
  type Workload,
} from "../support/workloads.ts";

const FILE_SYSTEMS: readonly FileSystem[] = ["ext4", "xfs", "btrfs"];

/** A disk is made anew after so many cuts, so that its stores stay small. */
const CUTS_PER_DISK = 20;

export const powerCuts: Part = {
  name: "power-cuts",
  about: "real power cuts: copies of a live disk, taken while the library, the command, hooks and runs save",
  whyNot: whyNoLiveDisks,
  run: async (world) => {
    const holder = makeHolder(world.folder);
    try {
      const random = randomFrom(world.seed);
      const program = await bundleProgram("writer", world.folder);
      const wanted = world.isQuick ? 6 : 510;
      const total = (world.recall() as Total | undefined) ?? { cuts: 0, acknowledged: 0, problems: [] };
      while (total.cuts < wanted) {
        const kind = FILE_SYSTEMS[Math.floor(total.cuts / CUTS_PER_DISK) % FILE_SYSTEMS.length] ?? "ext4";
        const cuts = Math.min(world.isQuick ? 2 : CUTS_PER_DISK, wanted - total.cuts);
        const found = await cutOften(
          { world, holder: holder.folder, kind, cuts, random, first: total.cuts },
          (disk, home) => [
            libraryWorkload(disk, "library", program),
            nowWorkload(disk, home),
            hookWorkload(disk, home),
            runWorkload(disk, home),
          ],
        );
        total.cuts += cuts;
        total.acknowledged += found.acknowledged;
        total.problems.push(...found.problems);
        world.keep(total);
      }
      none(total.problems, "lost or damaged after a power cut");
      atLeast(total.cuts * 2, total.acknowledged, "acknowledgements");
      const control = await controlLoses(world, holder.folder, random);
      return [
        {
          fault: "power cut while 5 processes save, by library, command, hooks and runs (ext4, xfs, btrfs)",
          count: `${number(total.cuts)} cuts, ${number(total.acknowledged)} acknowledgements`,
          outcome: "0 lost, 0 damaged",
          control,
        },
      ];
    } finally {
      holder.remove();
    }
  },
};

interface Total {
  cuts: number;
  acknowledged: number;
  readonly problems: string[];
}

interface Cutting {
  readonly world: World;
  readonly holder: string;
  readonly kind: FileSystem;
  readonly cuts: number;
  readonly random: Random;
  /** How many cuts there were before. */
  readonly first: number;
}

async function cutOften(
  { world, holder, kind, cuts, random, first }: Cutting,
  begin: (disk: string, home: string) => readonly Workload[],
): Promise<{ acknowledged: number; problems: string[] }> {
  const name = `${kind}-${first}`;
  const disk = makeLiveDisk(holder, kind, name);
  const home = join(world.folder, `home-${name}`);
  mkdirSync(home, { recursive: true });
  const problems: string[] = [];
  const workloads = begin(disk.folder, home);
  try {
    // A cut before anything was acknowledged could lose nothing.
    for (let tries = 0; tries < 600 && workloads.some(({ count }) => count() === 0); tries++) await wait(100);
    none(
      workloads.filter(({ count }) => count() === 0).map(({ name }) => name),
      "nothing saved within a minute",
    );
    for (let count = 1; count <= cuts; count++) {
      await wait(integer(random, 60, 500));
      // What is acknowledged after this line does not count.
      const checks = workloads.map((workload) => ({ workload, check: workload.check() }));
      const cut = disk.cutPower();
      for (const { pause } of workloads) pause(true);
      try {
        for (const { workload, check } of checks)
          problems.push(
            ...(await check(cut.folder)).map((problem) => `${kind}, ${workload.name}: ${problem}`),
          );
      } finally {
        cut.release();
        for (const { pause } of workloads) pause(false);
      }
      world.progress(`${first + count} cuts, now on ${kind}; ${problems.length} problems`);
    }
    return { acknowledged: workloads.reduce((sum, { count }) => sum + count(), 0), problems };
  } finally {
    await Promise.all(workloads.map(async ({ stop }) => stop()));
    disk.remove();
  }
}

/** A store that does not sync at each commit must lose something here, or the cuts prove nothing. */
async function controlLoses(world: World, holder: string, random: Random): Promise<string> {
  const program = await bundleProgram("writer", world.folder, NOT_SYNCED);
  const most = 60;
  for (let cuts = 10; cuts <= most; cuts += 10) {
    const { problems } = await cutOften(
      { world, holder, kind: "ext4", cuts: 10, random, first: 100_000 + cuts },
      (disk) => [libraryWorkload(disk, "control", program)],
    );
    if (problems.length > 0) return `with \`synchronous=NORMAL\`: lost within ${cuts} cuts`;
  }
  throw new Error(`The control with synchronous=NORMAL lost nothing in ${most} cuts.`);
}
