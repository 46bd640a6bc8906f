import { join } from "node:path";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import type { Project } from "../../work/project/project.ts";
import { Cairn } from "../../work/state/cairn.ts";
import type { Run } from "../workflow/run/run-state.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import type { ChaosTest } from "./chaos-file.ts";
import type { TierName } from "./faults.ts";
import { runnerLife } from "./runner-life.ts";
import type { ChaosEvent } from "./schedule.ts";
import { type ChaosLogEvent, type Mortal, NEVER, readLog } from "./striker.ts";

/** One schedule in one copy of the project. */
export interface Play {
  readonly test: ChaosTest;
  readonly schedule: readonly ChaosEvent[];
  /** The copy. */
  readonly root: string;
  /** The file of events. */
  readonly log: string;
  /** The id of the run. */
  readonly run: string;
}

/** A run that was played to its end under faults: what invariants are asked about. */
export interface PlayedRun {
  readonly schedule: readonly ChaosEvent[];
  readonly events: readonly ChaosLogEvent[];
  /** The events again, one JSON object a line. */
  readonly eventsFile: string;
  /** The copy of the project. */
  readonly root: string;
  /** The run as it was in the end; undefined if it never began. */
  readonly run: Run | undefined;
  /** The run's status, or why it could not be resumed. */
  readonly ended: string;
  /** What a runner that had been replaced did wrong. */
  readonly broken?: string | undefined;
}

/** Where runs are played. */
export interface ChaosTier {
  readonly name: TierName;
  /** Why nothing can be played there. */
  readonly whyNot?: string | undefined;
  readonly open: (play: Play) => Promise<Stage>;
}

export interface Stage {
  /** A runner's life: resolves with how the run ended, or with undefined once the runner is dead or replaced. */
  readonly live: () => Promise<string | undefined>;
  /** Closes everything. The run as it is when all that was frozen has woken up, and what that did wrong. */
  readonly end: () => Promise<Pick<PlayedRun, "run" | "broken">>;
}

/** Plays a schedule to the end of the run, however many runners that takes. */
export async function playSchedule(tier: ChaosTier, play: Play): Promise<PlayedRun> {
  const { schedule, root, log } = play;
  const stage = await tier.open(play);
  let ended: string | undefined;
  let left: Pick<PlayedRun, "run" | "broken"> = { run: undefined };
  try {
    // Each death, and each frozen runner, uses up an event of the schedule.
    for (let lives = 0; ended === undefined && lives <= schedule.length; lives++) ended = await stage.live();
  } finally {
    left = await stage.end();
  }
  return { schedule, events: readLog(log), eventsFile: log, root, ended: ended ?? "killed", ...left };
}

/** Runs in this process: a runner that is killed is cut off from the store, and another one takes its place. */
export function inProcess({ env, now, machine }: Pick<Project, "env" | "now" | "machine">): ChaosTier {
  const { pid, host, kill } = machine;
  // There is one runner at a time, and the lease of a dead one is free.
  const leases = { take: async () => ({ release: async () => {} }), isHeld: async () => false };
  return {
    name: "in-process",
    open: async (play) => {
      const store = await openMemoryStore();
      const { root } = play;
      const world = { env, now, pid, host, kill, leases, root, folder: join(root, ".cairn") };
      return {
        live: async () => {
          const death = Promise.withResolvers<undefined>();
          let isDead = false;
          const mortal: Mortal = {
            isDead: () => isDead,
            pause: () => NEVER,
            die: async (rest) => {
              isDead = true;
              await rest();
              death.resolve(undefined);
              return NEVER;
            },
          };
          const commit: typeof store.commit = (change) =>
            isDead ? Promise.reject(new Error("This runner was killed.")) : store.commit(change);
          const life = runnerLife(play, mortal, {
            context: { ...world, cairn: new Cairn({ ...store, commit }, now) },
          });
          // A killed runner rejects sooner or later, and that is expected.
          life.catch(() => {});
          return Promise.race([life, death.promise]);
        },
        end: async () => {
          const run = await readRun({ cairn: new Cairn(store, now) }, play.run).catch(() => undefined);
          await store.close();
          return { run };
        },
      };
    },
  };
}
