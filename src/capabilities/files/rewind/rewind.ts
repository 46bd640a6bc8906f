import type { Store } from "../../../core/store/contract.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Project } from "../../../work/project/project.ts";
import { compare, momentOf, readBlobs, type FileSide } from "../compare/compare.ts";
import { contentsOf } from "../compare/content.ts";
import type { LookedTree } from "../look/look.ts";
import { filesOf, readSnapshots, type Snapshot, snapshotTrails } from "../snapshot/snapshots.ts";
import { type SnapshotOccasion, takeSnapshot } from "../take-snapshot.ts";
import { authorsIn, momentsOf } from "../whose/authors.ts";
import { contentName, stage } from "./apply.ts";
import { endRewind, type FinishedRewind, finishRewind } from "./finish-rewind.ts";
import {
  type Journal,
  type JournalContent,
  type JournalStep,
  prepareStaging,
  writeJournal,
} from "./journal.ts";
import { findUncovered } from "./uncovered.ts";
import { type LeftFile, planRewind, type RewindPlan, type RewindStep, type RewindWishes } from "./plan.ts";

/** What a rewind works on, with the tree's lock held. */
export interface RewindScene {
  readonly project: Project;
  readonly tree: LookedTree;
  readonly folder: string;
  readonly store: Store;
}

/** What is to be brought back. */
export interface RewindGoal extends RewindWishes {
  readonly target: Snapshot;
  readonly isDryRun?: boolean;
  /** Only what is still as it was left there. */
  readonly unlessChangedSince?: Snapshot | undefined;
}

/** What a rewind found: the files as they are now, and what would happen to them. */
export interface FoundRewind {
  readonly now: Snapshot;
  readonly plan: RewindPlan;
}

/** Takes a snapshot of the files as they are, and plans the way back from it. */
export async function findRewind(
  scene: RewindScene,
  { target, unlessChangedSince, isDryRun = false, ...wishes }: RewindGoal,
): Promise<FoundRewind> {
  const { tree, store } = scene;
  // Stored in any case where files are about to change: so the gate is asked before.
  const permitted = isDryRun ? {} : { action: "history.restore", isMoment: true };
  const now = await takeNow(scene, { why: "before-rewind", ...permitted });
  const filesAt = async (snapshot: Snapshot) => momentOf(snapshot, await filesOf(store, snapshot));
  const changes = await compare(tree, await filesAt(now), await filesAt(target));
  const since = unlessChangedSince
    ? await compare(tree, await filesAt(unlessChangedSince), await filesAt(now))
    : [];
  const foreign = new Map(since.map(({ path }) => [path, "changed since the rewind"]));
  const all = await readSnapshots(store, snapshotTrails(scene.project));
  const at = all.findIndex(({ info }) => info.content_hash === target.info.content_hash);
  const between = all.slice(0, at + 1).toReversed();
  const authors = wishes.session === undefined ? new Map() : await authorsIn(tree, momentsOf(store, between));
  const uncovered = await findUncovered(scene, changes, [now, target]);
  return { now, plan: planRewind(changes, authors, { ...wishes, foreign, uncovered }) };
}

async function takeNow(
  { project, tree, folder }: RewindScene,
  occasion: SnapshotOccasion,
): Promise<Snapshot> {
  const { snapshot } = await takeSnapshot(project, tree, folder, occasion);
  if (snapshot.failed === null) return snapshot;
  throw new CheckpointError("failed", `The files cannot be looked at: ${snapshot.failed}.`, {
    hint: "Nothing was changed. Find out why: checkpoint doctor",
    details: { reason: snapshot.failed },
  });
}

/**
 * Brings files back, and returns those that it left. Once the journal is written, the rewind happens, whatever becomes of
 * this process.
 */
export async function applyRewind(
  scene: RewindScene,
  { now, plan }: FoundRewind,
  target: Snapshot,
): Promise<readonly LeftFile[]> {
  const { folder, project } = scene;
  prepareStaging(folder);
  const { steps, lost } = await stageSteps(scene, plan.steps);
  const journal: Journal = {
    version: 1,
    before: now.info.checkpoint_id,
    target: target.info.checkpoint_id,
    steps,
  };
  writeJournal(folder, journal);
  const finished = finishRewind(project, folder, { isStaged: true }) as FinishedRewind;
  await endRewind(project, scene, finished, "history.restore");
  return [...finished.left, ...lost];
}

/** So many files are read from the store at once. */
const READ_AT_ONCE = 100;

/** Puts all new content where one rename brings it into its place. What cannot be had is left as it is. */
async function stageSteps(
  { store, tree, folder }: RewindScene,
  planned: readonly RewindStep[],
): Promise<{ steps: JournalStep[]; lost: LeftFile[] }> {
  const blobs = (side: "have" | "want") =>
    readBlobs(
      tree,
      planned.map((step) => ({ path: step.path, side: step[side] })),
    );
  const [haves, wants] = [await blobs("have"), await blobs("want")];
  const steps: JournalStep[] = [];
  const lost: LeftFile[] = [];
  for (let start = 0; start < planned.length; start += READ_AT_ONCE) {
    const some = planned.slice(start, start + READ_AT_ONCE);
    const stored = await contentsOf(
      store,
      some.flatMap(({ want }) => (want.kind === "stored" ? [want.version] : [])),
    );
    for (const { path, have, want } of some) {
      const before = nameOf(have, haves.get(path));
      const after = nameOf(want, wants.get(path));
      if (before === undefined || after === undefined) {
        lost.push({ path, why: "git does not have its content any more" });
        continue;
      }
      const content = want.kind === "stored" ? stored.get(want.version) : wants.get(path);
      if (after !== null && content) stage(folder, steps.length, after, content);
      steps.push({ path, have: before, want: after });
    }
  }
  return { steps, lost };
}

/** Null for a file that is not there; undefined where its content cannot be had. */
function nameOf(side: FileSide, blob: Buffer | undefined): JournalContent | null | undefined {
  if (side.kind === "absent") return null;
  if (side.kind === "stored") return { mode: side.version.mode, pieces: side.version.pieces };
  return side.kind === "blob" && blob ? contentName(side.mode, blob) : undefined;
}
