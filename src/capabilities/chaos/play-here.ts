import { join } from "node:path";
import type { Store } from "../../core/store/contract.ts";
import { openMemoryStore } from "../../core/store/sqlite.ts";
import { Cairn } from "../../work/state/cairn.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { readRun } from "../workflow/runner/examine-run.ts";
import type { ChaosTest } from "./chaos-file.ts";
import { ChaosLog } from "./chaos-log.ts";
import { live, RUN_ID } from "./live.ts";
import type { PlayedRun } from "./played-run.ts";
import type { ProjectCopy } from "./project-copies.ts";
import type { ChaosEvent } from "./schedule.ts";

/** What a run needs of the world, besides its copy of the project. */
export type ChaosWorld = Pick<WorkflowContext, "env" | "now" | "pid" | "host" | "kill">;

/** Plays a schedule in this process: a runner that is killed is cut off from the store, and another one takes its place. */
export async function playHere(
  test: ChaosTest,
  schedule: readonly ChaosEvent[],
  { root, log: eventsFile }: ProjectCopy,
  world: ChaosWorld,
): Promise<PlayedRun> {
  const folder = join(root, ".cairn");
  const store = await openMemoryStore();
  const log = new ChaosLog(eventsFile);
  try {
    let ended: string | undefined;
    // Each death uses up an event of the schedule.
    for (let lives = 0; ended === undefined && lives <= schedule.length; lives++) {
      const death = Promise.withResolvers<undefined>();
      const line = cuttable(store);
      const die = async (rest: () => Promise<void>) => {
        await line.cut();
        await rest();
        death.resolve(undefined);
      };
      const context = { ...world, root, folder, cairn: new Cairn(line.store, world.now), leases: FREE };
      const striking = { schedule, log, folder, die, isDead: line.isCut };
      const life = live({ context, test, striking });
      // A killed runner rejects sooner or later, and that is expected.
      life.catch(() => {});
      ended = await Promise.race([life, death.promise]);
    }
    const cairn = new Cairn(store, world.now);
    const run = await readRun({ cairn }, RUN_ID).catch(() => undefined);
    return { schedule, events: log.events, eventsFile, root, run, ended: ended ?? "killed" };
  } finally {
    await store.close();
  }
}

/** There is one runner at a time, and the lease of a dead one is free. */
const FREE: WorkflowContext["leases"] = {
  take: async () => ({ release: async () => {} }),
  isHeld: async () => false,
};

/** The store until it is cut off: what is under way then is waited for, and all later calls are refused. */
function cuttable(store: Store) {
  const underway = new Set<Promise<unknown>>();
  let isCut = false;
  const refuse = () => Promise.reject(new Error("This runner was killed."));
  const guarded = new Proxy(store, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        if (isCut) return refuse();
        const result: unknown = value.apply(target, args);
        if (!(result instanceof Promise)) return result;
        underway.add(result);
        const forget = () => underway.delete(result);
        result.then(forget, forget);
        return result;
      };
    },
  });
  const cut = async () => {
    isCut = true;
    await Promise.allSettled(underway);
  };
  return { store: guarded, isCut: () => isCut, cut };
}
