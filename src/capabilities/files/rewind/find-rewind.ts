import { authorsIn, momentAt, momentsOf } from "../moments/authors.ts";
import { compare } from "../moments/compare.ts";
import type { KnownMoments } from "../moments/known-moments.ts";
import type { Snapshot } from "../snapshot/snapshots.ts";
import type { TakenSnapshot } from "../snapshot/take-snapshot.ts";
import type { FileTree } from "../tree/tree.ts";
import { planRewind, type RewindPlan, type RewindWishes } from "./plan.ts";
import { findUncovered } from "./uncovered.ts";

/** What is to be brought back. */
export interface RewindGoal extends RewindWishes {
  readonly target: Snapshot;
  /** Only what is still as it was left there. */
  readonly unlessChangedSince?: Snapshot | undefined;
}

/** Plans the way back from a snapshot of the files as they are. */
export async function findRewind(
  tree: FileTree,
  { store, list }: KnownMoments,
  {
    now,
    files,
    target,
    unlessChangedSince,
    ...wishes
  }: RewindGoal & Pick<TakenSnapshot, "files"> & { readonly now: Snapshot },
): Promise<RewindPlan> {
  const here = { head: now.head, files };
  const changes = await compare(tree, here, await momentAt(store, target));
  const since = unlessChangedSince
    ? await compare(tree, await momentAt(store, unlessChangedSince), here)
    : [];
  const foreign = new Map(since.map(({ path }) => [path, "changed since the rewind"]));
  const between = [now, ...list.slice(0, list.indexOf(target) + 1)].toReversed();
  const authors = wishes.session === undefined ? new Map() : await authorsIn(tree, momentsOf(store, between));
  const reading = { moments: [now, target], read: store.readObjects.bind(store) };
  const uncovered = await findUncovered(tree, changes, reading);
  return planRewind({ changes, authors, foreign, uncovered }, wishes);
}
