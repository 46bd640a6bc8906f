import { join } from "node:path";
import type { Corpus } from "./corpus.ts";
import { bytesIn, type WorkPlace } from "./folders.ts";
import { openCairn } from "./library.ts";
import { readingTools } from "./tool-results.ts";
import { appending, changingTasks, trimming, type Workload } from "./workloads.ts";

export type WorkloadName = "A" | "B" | "C" | "D";

/** A closed store that holds every step of a workload in trail main. */
export interface BuiltStore {
  readonly path: string;
  readonly steps: number;
  readonly newBytes: number;
  readonly distinctBytes: number;
  readonly storedBytes: number;
  /** One for each step. */
  readonly ids: readonly string[];
  readonly lastState: object;
}

/** Each workload's store is built once in a run, when a figure first asks for it. */
export interface Stores {
  get(name: WorkloadName, onStep?: (done: number, total: number) => void): Promise<BuiltStore>;
}

const STEPS: Readonly<Record<WorkloadName, number>> = { A: 2000, B: 2000, C: 2000, D: 1000 };

export function openStores(corpus: Corpus, place: WorkPlace): Stores {
  const workloads: Readonly<Record<WorkloadName, Workload<object>>> = {
    A: appending(corpus),
    B: trimming(corpus),
    C: changingTasks(corpus),
    D: readingTools(corpus),
  };
  const built = new Map<WorkloadName, Promise<BuiltStore>>();
  return {
    get: (name, onStep) => {
      const store =
        built.get(name) ??
        buildStore(workloads[name], { steps: STEPS[name], folder: place.newFolder(), onStep });
      built.set(name, store);
      return store;
    },
  };
}

export interface Building {
  readonly steps: number;
  readonly folder: string;
  readonly onStep?: ((done: number, total: number) => void) | undefined;
}

/** Commits every step of a workload to a new store, and closes it. */
export async function buildStore(workload: Workload<object>, building: Building): Promise<BuiltStore> {
  const { steps, folder, onStep } = building;
  const path = join(folder, "store");
  const cairn = await openCairn({ path });
  const trail = cairn.trail<object>("main", { initial: {}, recognition: "identity" });
  const ids: string[] = [];
  let newBytes = 0;
  let distinctBytes = 0;
  let lastState: object = {};
  for (const step of workload(steps)) {
    const saved = await trail.commit(step.state);
    ids.push(saved.checkpoint_id);
    newBytes += step.newBytes;
    distinctBytes += step.distinctBytes ?? step.newBytes;
    lastState = step.state;
    onStep?.(ids.length, steps);
  }
  await cairn.close();
  return { path, steps, newBytes, distinctBytes, storedBytes: bytesIn(path), ids, lastState };
}
