import { statfsSync } from "node:fs";
import { isCheckpointError } from "../../../core/errors.ts";
import type { NewObject } from "../../../core/objects/object-format.ts";
import { isStaleReference } from "../../../core/store/refusals.ts";
import type { Store } from "../../../core/store/contract.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { type CommitNotes, writeCheckpoint } from "../../../core/trails/document.ts";
import { lentStore } from "../../../work/project/events/lent-store.ts";
import { gates } from "../../../work/project/gate.ts";
import type { FilesLook } from "../look/look.ts";
import { lookAgain } from "../look/look-again.ts";
import type { FileTree } from "../tree/tree.ts";
import { REWOUND } from "../moments/authors.ts";
import { nextTurns, type SessionMoment } from "./turns.ts";
import { keepWithinBudget } from "../retention.ts";
import { type FilesByPath, isSameVersion, type SnapshotFile } from "./snapshot-file.ts";
import { writeParts, writeRoot } from "./snapshot-format.ts";
import {
  placeAfter,
  type RewindDone,
  type Snapshot,
  type SnapshotNotes,
  type SnapshotWhy,
} from "./snapshots.ts";

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

const LEAST_FREE_BYTES = 1024 ** 3;
/** So much content waits for a commit at most. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

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

interface Taking {
  readonly tree: FileTree;
  readonly store: Store;
  readonly occasion: SnapshotOccasion;
  /** The agent and its tier, as the project knows them. */
  readonly by: CommitNotes;
}

async function take(taking: Taking, isForgetful = false): Promise<TakenSnapshot> {
  const { tree, store, occasion } = taking;
  const again = await lookAgain(tree, store, { isForgetful });
  const { before, filesBefore } = again;
  const storing = new Storing(taking, before);
  const found = await lookOrFail(tree.root, () => again.look(storing.keep));
  const files = found.look?.files ?? filesBefore;
  const notes = await notesOf(taking, before, { ...found, files });
  const changed = changedPaths(filesBefore, files);
  const isSame = before && changed.length === 0 && !storing.wentAhead && isSameMoment(before, notes);
  const snapshot = isSame && !occasion.isMoment ? before : await storing.end(notes, found.look?.files);
  if (found.look) again.remember(snapshot.root, found.look);
  if (storing.isMuch) await keepWithinBudget(tree.project);
  return { snapshot, files, changed: before ? changed : [] };
}

interface Found {
  readonly look?: FilesLook;
  /** Why there is none. */
  readonly failed: string | null;
}

async function lookOrFail(root: string, look: () => Promise<FilesLook>): Promise<Found> {
  try {
    const { bavail, bsize } = statfsSync(root);
    if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("less than 1 GB of the disk is free");
    return { look: await look(), failed: null };
  } catch (error) {
    if (isCheckpointError(error)) throw error;
    return { failed: oneLine(error instanceof Error ? error.message : String(error)) };
  }
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

async function notesOf(
  { tree, store, occasion }: Taking,
  before: Snapshot | undefined,
  { look, files, failed }: Found & { readonly files: FilesByPath },
): Promise<SnapshotNotes> {
  const { why, trail, tools = [], rewind = null } = occasion;
  const { turn, by, sessions } = nextTurns(before?.sessions ?? {}, occasion.session, tree.project.now());
  const { head = null, branch = null, repositories = [] } = look ?? before ?? {};
  return {
    why,
    of: (trail === undefined ? undefined : await store.head(trail)) ?? null,
    turn,
    by: rewind ? [REWOUND] : by,
    tools,
    head,
    branch,
    failed,
    sessions,
    repositories,
    files: files.size,
    leftOut: [...files.values()].filter(({ leftOut }) => leftOut !== undefined).length,
    rewind,
  };
}

/**
 * Content on its way to the store. What is more than fits into one commit goes ahead in a snapshot that is not done, and
 * which goes when the snapshot itself is there.
 */
class Storing {
  /** Whether so much was stored that the budget is to be looked at. */
  isMuch = false;
  readonly #taking: Taking;
  readonly #before: Snapshot | undefined;
  readonly #ahead: Snapshot[] = [];
  #objects: NewObject[] = [];
  #bytes = 0;

  constructor(taking: Taking, before: Snapshot | undefined) {
    this.#taking = taking;
    this.#before = before;
  }

  get wentAhead(): boolean {
    return this.#ahead.length > 0;
  }

  readonly keep = async (object: NewObject): Promise<void> => {
    this.#objects.push(object);
    this.#bytes += object.bytes.length;
    this.isMuch ||= this.#bytes > MOST_WAITING_BYTES / 4;
    if (this.#bytes < MOST_WAITING_BYTES) return;
    const pieces = this.#objects.map(({ id }) => id);
    const failed = "the look was not finished";
    const notes = await notesOf(this.#taking, this.#before, { failed, files: new Map() });
    this.#ahead.push(await this.#commit(notes, [{ path: "", now: { mode: "100644", size: 0, pieces } }]));
  };

  /** Stores the snapshot; without files, because the look failed, those before are kept. */
  async end(notes: SnapshotNotes, files: FilesByPath | undefined): Promise<Snapshot> {
    const snapshot = await this.#commit(notes, files?.values());
    const checkpoints = this.#ahead.map(({ info }) => info.content_hash);
    if (checkpoints.length > 0) await this.#taking.store.remove({ checkpoints });
    return snapshot;
  }

  async #commit(notes: SnapshotNotes, files: Iterable<SnapshotFile> | undefined): Promise<Snapshot> {
    const { tree, store, occasion, by } = this.#taking;
    const { trail, parent } = await placeAfter(store, tree.project, this.#ahead.at(-1) ?? this.#before);
    const kept = this.#before?.parts ?? [];
    const { parts, objects } = files ? writeParts(files, kept) : { parts: kept, objects: [] };
    const root = writeRoot(notes, parts, this.#before?.root);
    const created = tree.project.now();
    const { info, object } = writeCheckpoint({
      root: root.id,
      trail,
      created_at: created.toISOString(),
      parent,
      trigger: occasion.session ? "hook:files" : `files:${notes.why}`,
      notes: occasion.notes ?? null,
      session_id: occasion.session?.id ?? null,
      ...by,
    });
    await store.commit({
      objects: [...this.#objects, ...objects, root],
      checkpoint: object,
      bytesAreFinal: true,
      trail,
      parent: parent?.content_hash,
      createdAt: created.getTime(),
      head: { from: parent?.content_hash },
      revives: true,
    });
    this.isMuch ||= parent === undefined;
    [this.#objects, this.#bytes] = [[], 0];
    return { ...notes, info, root: root.id, parts };
  }
}
