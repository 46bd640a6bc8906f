import type { Store } from "../../../core/store/contract.ts";
import { authorsIn, momentAt, momentsOf } from "../moments/authors.ts";
import { compare } from "../moments/compare.ts";
import { readSnapshots, type Snapshot } from "../snapshot/snapshots.ts";
import { type SnapshotOccasion, takeSnapshot } from "../snapshot/take-snapshot.ts";
import type { FileTree } from "../tree/tree.ts";
import { lookFailed } from "../look/look-again.ts";
import type { AppliedRewind } from "./apply.ts";
import { finishRewind } from "./finish-rewind.ts";
import { writeJournal } from "./journal.ts";
import { planRewind, type RewindPlan, type RewindWishes } from "./plan.ts";
import { findUncovered } from "./uncovered.ts";

/** What is to be brought back. */
export interface RewindGoal extends RewindWishes {
  readonly target: Snapshot;
  /** Only what is still as it was left there. */
  readonly unlessChangedSince?: Snapshot | undefined;
}

/** What a rewind found: the files as they are now, and what would happen to them. */
export interface FoundRewind {
  readonly now: Snapshot;
  readonly plan: RewindPlan;
}

const ACTION = "history.restore";

/** Takes a snapshot of the files as they are, and plans the way back from it. */
export async function findRewind(
  tree: FileTree,
  { target, unlessChangedSince, ...wishes }: RewindGoal,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<FoundRewind> {
  const { store } = await tree.project.stores.open(tree.project, "read");
  // Stored in any case where files are about to change: so the gate is asked before.
  const occasion: SnapshotOccasion = { why: "before-rewind" };
  const taken = await takeSnapshot(
    tree,
    isDryRun ? occasion : { ...occasion, action: ACTION, isMoment: true },
  );
  const now = taken.snapshot;
  if (now.failed !== null) throw lookFailed(now.failed);
  const here = { head: now.head, files: taken.files };
  const changes = await compare(tree, here, await momentAt(store, target));
  const since = unlessChangedSince
    ? await compare(tree, await momentAt(store, unlessChangedSince), here)
    : [];
  const foreign = new Map(since.map(({ path }) => [path, "changed since the rewind"]));
  const authors =
    wishes.session === undefined
      ? new Map()
      : await authorsIn(tree, momentsOf(store, await between(tree, store, target)));
  const reading = { moments: [now, target], read: store.readObjects.bind(store) };
  const uncovered = await findUncovered(tree, changes, reading);
  return { now, plan: planRewind({ changes, authors, foreign, uncovered }, wishes) };
}

/** The snapshots from a moment to the newest, oldest first. */
async function between({ project }: FileTree, store: Store, target: Snapshot): Promise<Snapshot[]> {
  const all = await readSnapshots(store, project);
  const at = all.findIndex(({ info }) => info.content_hash === target.info.content_hash);
  return all.slice(0, at + 1).toReversed();
}

/**
 * Brings files back. Once the journal is written, the rewind happens, whatever becomes of this process: all content that it
 * needs is in the store or in git.
 */
export async function applyRewind(
  tree: FileTree,
  { now, plan }: FoundRewind,
  target: Snapshot,
): Promise<AppliedRewind> {
  const names = { before: now.info.checkpoint_id, target: target.info.checkpoint_id };
  writeJournal(tree.folder, { version: 1, ...names, steps: plan.steps });
  return (await finishRewind(tree, ACTION)) as AppliedRewind;
}
