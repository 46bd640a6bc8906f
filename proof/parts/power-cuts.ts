import { randomFrom, type Random } from "../../tests/faults/support/random.ts";
import { cutOften, FILE_SYSTEMS } from "../support/cut-often.ts";
import { makeHolder, whyNoLiveDisks } from "../support/images.ts";
import { atLeast, none, number, type Part, type World } from "../support/part.ts";
import { bundleProgram, NOT_SYNCED } from "../support/programs.ts";
import { hookWorkload, libraryWorkload, nowWorkload, runWorkload } from "../support/workloads.ts";

/** A disk is made anew after so many cuts, so that its stores stay small. */
const CUTS_PER_DISK = 20;

export const powerCuts: Part = {
  name: "power-cuts",
  about: "real power cuts: copies of a live disk, taken while the library, the command, hooks and runs save",
  proves: [
    "src/core/objects",
    "src/core/store",
    "src/core/trails",
    "src/work/sessions",
    "src/capabilities/workflow",
  ],
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
