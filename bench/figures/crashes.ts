import { seed } from "../../tests/faults/support/random.ts";
import { killRunners } from "../../tests/workflow/support/crash-campaign.ts";
import { atLeast, type Figure } from "../figure.ts";

const KILLS = 1000;

/** The same campaign as in the tests, five times as long. It throws when a run ends differently. */
export const crashes: Figure = {
  name: "crashes",
  title: "Runners killed with kill -9 at random moments, in runs of 20 steps with branches and an approval",
  measure: async ({ progress }) => {
    progress.step("crashes: killing runners");
    const found = await killRunners({ kills: KILLS, seed, onKill: (kills) => progress.at(kills, KILLS) });
    const from = `${found.runs} runs, ${found.starts} steps started, ${found.adopted} results adopted, ${found.crashes} attempts made again; seed ${seed}`;
    return [
      atLeast(
        "kills survived: same results and files, no completed step run again",
        found.kills,
        { must: KILLS, digits: 0 },
        from,
      ),
    ];
  },
};
