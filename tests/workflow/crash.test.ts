import { describe, expect, it } from "vitest";

import { seed } from "../faults/support/random.ts";
import { report, scaled, TIMEOUT_MS } from "../faults/support/scale.ts";
import { killRunners } from "./support/crash-campaign.ts";

const KILLS = scaled(6, 1000);

describe(`a runner that is killed with kill -9 (seed ${seed})`, () => {
  it(
    "never runs a completed step again, and ends with the same results as one that nobody killed",
    async () => {
      const { kills, runs, starts, adopted, crashes } = await killRunners({ kills: KILLS, seed });
      expect(kills).toBeGreaterThanOrEqual(KILLS);
      report(
        `${kills} kills of a runner in ${runs} runs: ${starts} starts, ${adopted} adopted, ${crashes} run again`,
      );
    },
    2 * TIMEOUT_MS,
  );
});
