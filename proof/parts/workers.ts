import { findPostgres } from "../../tests/postgres/support/server.ts";
import { strikeWorkers, type WorkerCampaign } from "../../tests/postgres/support/worker-campaign.ts";
import { atLeast, number, type Part } from "../support/part.ts";

/** Each round has a server, workers and runs of its own; what was found is kept after each. */
const ROUNDS = 10;
const ROUND = { kills: 50, freezes: 10, shutdowns: 3 };
const QUICK = { kills: 10, freezes: 1, shutdowns: 1 };

const NOTHING: WorkerCampaign = {
  kills: 0,
  freezes: 0,
  shutdowns: 0,
  runs: 0,
  cancelled: 0,
  starts: 0,
  crashes: 0,
  scheduled: 0,
  atOnce: 0,
};

interface Kept {
  readonly rounds: number;
  readonly total: WorkerCampaign;
}

export const workers: Part = {
  name: "workers",
  about:
    "workers that are killed and frozen, and a PostgreSQL that is ended at once: no step lost, none run again",
  proves: ["src/capabilities/workflow", "src/capabilities/postgres/store"],
  whyNot: () => (findPostgres() === undefined ? "there is no PostgreSQL" : undefined),
  run: async (world) => {
    const rounds = world.isQuick ? 1 : ROUNDS;
    let { rounds: done, total } = (world.recall() as Kept | undefined) ?? { rounds: 0, total: NOTHING };
    for (; done < rounds; world.keep({ rounds: done, total })) {
      const found = await strikeWorkers({
        ...(world.isQuick ? QUICK : ROUND),
        programs: findPostgres() as string,
        workers: 4,
        seed: world.seed + done,
        onStrike: ({ kills }) => world.progress(`round ${done + 1} of ${rounds}, ${kills} kills`),
      });
      total = sum(total, found);
      done++;
    }
    atLeast(1, total.crashes, "attempts that crashed");
    return [
      {
        fault: "kill -9 of workers, freezes beyond their lease, immediate shutdowns of PostgreSQL",
        count: `${number(total.kills)} kills, ${number(total.freezes)} freezes, ${number(total.shutdowns)} shutdowns; ${number(total.runs)} runs, ${number(total.cancelled)} of them cancelled, ${number(total.scheduled)} begun by a schedule, ${number(total.starts)} starts, ${number(total.crashes)} crashes`,
        outcome:
          "0 steps lost, 0 attempts started twice, 0 completed steps run again, 0 runs stuck, 0 signals lost, no limit exceeded, no time of the schedule left out",
      },
    ];
  },
};

function sum(a: WorkerCampaign, b: WorkerCampaign): WorkerCampaign {
  return {
    kills: a.kills + b.kills,
    freezes: a.freezes + b.freezes,
    shutdowns: a.shutdowns + b.shutdowns,
    runs: a.runs + b.runs,
    cancelled: a.cancelled + b.cancelled,
    starts: a.starts + b.starts,
    crashes: a.crashes + b.crashes,
    scheduled: a.scheduled + b.scheduled,
    atOnce: Math.max(a.atOnce, b.atOnce),
  };
}
