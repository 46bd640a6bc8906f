import { isStaleReference } from "../../../core/store/refusals.ts";
import { lentStore } from "../../../work/project/events/lent-store.ts";
import { gates } from "../../../work/project/gate.ts";
import { lookAgain, remember } from "../look/look-again.ts";
import { keepWithinBudget } from "../retention.ts";
import type { FileTree } from "../tree/tree.ts";
import { type FilesByPath, isSameVersion, type SnapshotFile } from "./snapshot-file.ts";
import {
  newestSnapshot,
  type RewindDone,
  type Snapshot,
  type SnapshotNotes,
  type SnapshotWhy,
} from "./snapshots.ts";
import { notesOf, StoreSnapshot, type Taking } from "./store-snapshot.ts";
import type { SessionMoment } from "./turns.ts";

/** Why a snapshot is taken, and what it belongs to. */
export interface SnapshotOccasion {
  readonly why: SnapshotWhy;
  readonly session?: SessionMoment | undefined;
  readonly tools?: readonly string[];
  /** The trail of the work whose newest checkpoint it belongs to. */
  readonly trail?: string | undefined;
  readonly notes?: string | undefined;
  readonly rewind?: RewindDone;
  /** What the gate is asked for; without it, for what hooks save, or what a person does. */
  readonly action?: string | undefined;
  /** The moment itself counts, also where no file has changed. */
  readonly isMoment?: boolean;
}

/** A snapshot with its files. */
export interface TakenSnapshot {
  readonly snapshot: Snapshot;
  readonly files: FilesByPath;
  /** What differs from the snapshot before, which is this one where it was not stored anew. */
  readonly changed: readonly string[];
}

/**
 * Stores the files as they are now, and resolves when that is durable. A look that fails is stored as failed, never as "no
 * changes". Runs with the tree's lock held.
 */
export async function takeSnapshot(tree: FileTree, occasion: SnapshotOccasion): Promise<TakenSnapshot> {
  const { session, action = session ? "session.capture" : "save" } = occasion;
  const cairn = await tree.project.stores.open(tree.project, "create", action);
  // The ledger has an entry for who keeps files, not one for each look.
  gates.get(cairn)?.setTurn(false);
  const by = lentStore(cairn).recordedAs(session?.client ?? tree.project.actor.agentId);
  const taking = { tree, store: cairn.store, occasion, by };
  try {
    return await take(taking);
  } catch (error) {
    if (!isStaleReference(error)) throw error;
    // A sweep was quicker than our commit: what it counted on is stored again.
    return take(taking, true);
  }
}

async function take(taking: Taking, isForgetful = false): Promise<TakenSnapshot> {
  const { tree, store, occasion } = taking;
  const before = await newestSnapshot(store, tree.project);
  const storing = new StoreSnapshot(taking, before);
  const { keep } = storing;
  const { filesBefore, ...found } = await lookAgain(tree, { store, before, keep, isForgetful });
  const { files, failed } = found;
  const notes = await notesOf(taking, before, found);
  const changed = changedPaths(filesBefore, files);
  const isSame = changed.length === 0 && !occasion.isMoment && before && isSameMoment(before, notes);
  const snapshot = isSame ? before : await storing.commit(notes, files);
  await storing.end();
  if (failed === null) remember(tree, snapshot.root, found);
  if (storing.isMuch) await keepWithinBudget(tree.project);
  return { snapshot, files, changed: before ? changed : [] };
}

function changedPaths(before: FilesByPath, now: FilesByPath): string[] {
  const isSame = (one: SnapshotFile | undefined, other: SnapshotFile | undefined) =>
    one !== undefined &&
    other !== undefined &&
    isSameVersion(one.now, other.now) &&
    one.leftOut?.stamp === other.leftOut?.stamp &&
    one.committed?.blob === other.committed?.blob;
  const paths = new Set([...before.keys(), ...now.keys()]);
  return [...paths].filter((path) => !isSame(before.get(path), now.get(path)));
}

/** That a turn is over counts too: what changes from here on is not its own. */
function isSameMoment(before: SnapshotNotes, now: SnapshotNotes): boolean {
  const said = ({ failed, head, branch, repositories, sessions }: SnapshotNotes) =>
    JSON.stringify([
      failed,
      head,
      branch,
      repositories,
      Object.keys(sessions).filter((id) => sessions[id]?.isOpen),
    ]);
  return said(before) === said(now);
}
