import type { Store } from "../../../core/store/contract.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { Project } from "../../../work/project/project.ts";
import { compare, momentOf, readBlobs, type FileSide } from "../compare/compare.ts";
import { contentOf } from "../compare/content.ts";
import type { LookedTree } from "../look/look.ts";
import { filesOf, readSnapshots, type Snapshot, snapshotTrail } from "../snapshot/snapshots.ts";
import { type SnapshotOccasion, takeSnapshot } from "../take-snapshot.ts";
import { authorsIn, momentsOf } from "../whose/authors.ts";
import { contentName, stage } from "./apply.ts";
import { type FinishedRewind, finishRewind } from "./finish-rewind.ts";
import { type Journal, type JournalStep, prepareStaging, writeJournal } from "./journal.ts";
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
  { target, unlessChangedSince, ...wishes }: RewindGoal,
): Promise<FoundRewind> {
  const { tree, store } = scene;
  const now = await takeNow(scene, { why: "before-rewind" });
  const filesAt = async (snapshot: Snapshot) => momentOf(snapshot, await filesOf(store, snapshot));
  const changes = await compare(tree, await filesAt(now), await filesAt(target));
  const since = unlessChangedSince
    ? await compare(tree, await filesAt(unlessChangedSince), await filesAt(now))
    : [];
  const foreign = new Map(since.map(({ path }) => [path, "changed since the rewind"]));
  const between = (await readSnapshots(store, snapshotTrail(scene.project)))
    .filter(({ sequence }) => sequence >= target.sequence)
    .toReversed();
  const authors = wishes.session === undefined ? new Map() : await authorsIn(tree, momentsOf(store, between));
  return { now, plan: planRewind(changes, authors, { ...wishes, foreign }) };
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

/** What a rewind did. */
export interface RewoundFiles {
  readonly done: readonly string[];
  readonly left: readonly LeftFile[];
  /** Of the files after it. */
  readonly after: Snapshot;
}

/** Brings files back. Once the journal is written, the rewind happens, whatever becomes of this process. */
export async function applyRewind(
  scene: RewindScene,
  { now, plan }: FoundRewind,
  target: Snapshot,
): Promise<RewoundFiles> {
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
  const { done, left } = finishRewind(project, folder) as FinishedRewind;
  const { snapshot: after } = await takeSnapshot(project, scene.tree, folder, {
    why: "rewound",
    notes: `${now.info.checkpoint_id} ${target.info.checkpoint_id}`,
    isMoment: true,
  });
  return { done, left: [...left, ...lost], after };
}

/** Puts all new content where one rename brings it into its place. What cannot be had is left as it is. */
async function stageSteps(
  { store, tree, folder }: RewindScene,
  planned: readonly RewindStep[],
): Promise<{ steps: JournalStep[]; lost: LeftFile[] }> {
  const sides = planned.flatMap(({ path, have, want }) => [
    { path, side: have },
    { path, side: want },
  ]);
  // Two blobs of one file would share its path, so each side is asked for by itself.
  const [haves, wants] = await Promise.all(
    [0, 1].map((odd) =>
      readBlobs(
        tree,
        sides.filter((_, at) => at % 2 === odd),
      ),
    ),
  );
  const steps: JournalStep[] = [];
  const lost: LeftFile[] = [];
  for (const { path, have, want } of planned) {
    const [before, after] = [
      await sideContent(store, have, haves?.get(path)),
      await sideContent(store, want, wants?.get(path)),
    ];
    if (before === undefined || after === undefined) {
      lost.push({ path, why: "git does not have its content any more" });
      continue;
    }
    if (after !== null) stage(folder, steps.length, after.name, after.content);
    steps.push({ path, have: before?.name ?? null, want: after?.name ?? null });
  }
  return { steps, lost };
}

/** Null for a file that is not there; undefined where its content cannot be had. */
async function sideContent(store: Store, side: FileSide, blob: Buffer | undefined) {
  if (side.kind === "absent") return null;
  if (side.kind === "unknown") return undefined;
  const content = side.kind === "blob" ? blob : await contentOf(store, side.version);
  const mode = side.kind === "blob" ? side.mode : side.version.mode;
  return content && { name: contentName(mode, content), content };
}
