import { join } from "node:path";
import { STORE_FILE } from "../../core/trails/store-file.ts";
import type { Store } from "../../core/store/contract.ts";
import type { ObjectId } from "../../core/objects/object-id.ts";
import type { Project } from "../../work/project/project.ts";
import { readSnapshots, segmentsOf, type Snapshot } from "./snapshot/snapshots.ts";

/** What the files of a project may take on the disk. The oldest go first. */
const BUDGET_BYTES = 500 * 1024 * 1024;
const MOST_ROUNDS = 20;

/** Snapshots go with the checkpoints that they belong to, a trail of them at a time, never the newest one. Returns how many went. */
export async function removeWithCheckpoints(project: Project): Promise<number> {
  const { store } = await project.stores.open(project, "write", "keep.prune");
  const [, ...older] = await segmentsOf(store, project);
  const byTrail = Map.groupBy(await readSnapshots(store, project), ({ info }) => info.trail);
  const going: string[] = [];
  // From the oldest on: what is between two that stay stays too, so that a rewind knows who changed what.
  for (const trail of older.toReversed()) {
    if (!(await isLeft(store, byTrail.get(trail) ?? []))) break;
    going.push(trail);
  }
  if (going.length > 0) await store.remove({ trails: going });
  return going.length;
}

/** Whether no checkpoint of the work is there any more that any of these belongs to. */
async function isLeft(store: Store, snapshots: readonly Snapshot[]): Promise<boolean> {
  const owners = [...new Set(snapshots.flatMap(({ of }) => (of === null ? [] : [of as ObjectId])))];
  for (const id of owners) if ((await store.tombstone(id)) === undefined) return false;
  return owners.length > 0;
}

/** Removes the oldest snapshots until the rest fits into the budget. A server's disk is its own business. */
export async function keepWithinBudget(project: Project, budgetBytes = BUDGET_BYTES): Promise<void> {
  if (project.shared !== undefined) return;
  const { store } = await project.stores.open(project, "write", "session.capture");
  const { usageOf } = await import("../../core/store/sqlite/usage.ts");
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const segments = await segmentsOf(store, project);
    const { trails } = await usageOf(join(project.folder, STORE_FILE));
    const own = trails.filter(({ name }) => segments.includes(name));
    const bytes = own.reduce((sum, trail) => sum + trail.bytes, 0);
    if (bytes <= budgetBytes || segments.length < 2) return;
    await store.remove({ trails: segments.slice(-1) });
    await store.sweep();
  }
}
