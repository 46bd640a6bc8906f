import { statfsSync } from "node:fs";
import { isCheckpointError, messageOf } from "../../core/errors.ts";
import type { NewObject } from "../../core/objects/object-format.ts";
import type { JsonObject } from "../../core/objects/json.ts";
import { isStaleReference } from "../../core/store/refusals.ts";
import type { Store } from "../../core/store/contract.ts";
import { type CommitNotes, writeCheckpoint } from "../../core/trails/document.ts";
import { oneLine } from "../../core/text/visible.ts";
import { lentStore } from "../../work/project/events/lent-store.ts";
import { gates } from "../../work/project/gate.ts";
import type { Project } from "../../work/project/project.ts";
import { Gathering } from "./gathering.ts";
import { type FilesLook, look, type LookedTree } from "./look/look.ts";
import { readMemory, writeMemory } from "./look/memory-file.ts";
import { type FilesByPath, isSameVersion } from "./snapshot/snapshot-file.ts";
import { writeParts, writeRoot } from "./snapshot/snapshot-format.ts";
import {
  filesOf,
  newestSnapshot,
  SEGMENT_LENGTH,
  segmentAfter,
  type Snapshot,
  type SnapshotNotes,
  snapshotTrails,
  type SnapshotWhy,
} from "./snapshot/snapshots.ts";
import { REWOUND } from "./whose/authors.ts";
import { nextTurns, type SessionMoment } from "./whose/turns.ts";

/** Why a snapshot is taken, and what it belongs to. */
export interface SnapshotOccasion {
  readonly why: SnapshotWhy;
  readonly session?: SessionMoment | undefined;
  readonly tools?: readonly string[];
  /** The trail of the work whose newest checkpoint it belongs to. */
  readonly trail?: string | undefined;
  readonly notes?: string | undefined;
  /** What the gate is asked for; without it, for what hooks save, or what a person does. */
  readonly action?: string;
  /** The moment itself counts, also where no file has changed. */
  readonly isMoment?: boolean;
}

/** A snapshot with its files. */
export interface TakenSnapshot {
  readonly snapshot: Snapshot;
  readonly files: FilesByPath;
  /** The one before it. */
  readonly before: Snapshot | undefined;
  /** Whether it was stored now, because something differs from the one before. */
  readonly isNew: boolean;
}

const LEAST_FREE_BYTES = 1024 ** 3;

/**
 * Stores the files as they are now, and resolves when that is durable. A look that fails is stored as failed, never as "no
 * changes". Runs with the tree's lock held.
 */
export async function takeSnapshot(
  project: Project,
  tree: LookedTree,
  folder: string,
  occasion: SnapshotOccasion,
): Promise<TakenSnapshot> {
  const action = occasion.action ?? (occasion.session ? "session.capture" : "save");
  const cairn = await project.stores.open(project, "create", action);
  const { store } = cairn;
  // The ledger has an entry for who keeps files, not one for each look.
  gates.get(cairn)?.setTurn(false);
  const client = occasion.session?.client ?? project.actor.agentId;
  const by = lentStore(cairn).recordedAs(client);
  try {
    return await takeOnce(project, { store, tree, folder, occasion, by });
  } catch (error) {
    if (!isStaleReference(error)) throw error;
    // A sweep was quicker than our commit: what it counted on is stored again.
    return takeOnce(project, { store, tree, folder, occasion, by, isForgetful: true });
  }
}

interface Taking {
  readonly store: Store;
  readonly tree: LookedTree;
  readonly folder: string;
  readonly occasion: SnapshotOccasion;
  /** The agent and its tier, as the project knows them. */
  readonly by: CommitNotes;
  readonly isForgetful?: boolean;
}

async function takeOnce(project: Project, taking: Taking): Promise<TakenSnapshot> {
  const { store, tree, folder, occasion, by, isForgetful = false } = taking;
  const prefix = snapshotTrails(project);
  const before = await newestSnapshot(store, prefix);
  const filesBefore: FilesByPath = before ? await filesOf(store, before) : new Map();
  const remembered = readMemory(folder);
  const isKnown = !isForgetful && before !== undefined && remembered?.root === before.root;
  const memory = {
    files: isForgetful ? new Map() : filesBefore,
    stamps: new Map(isKnown ? Object.entries(remembered.stamps) : []),
    seededFor: remembered?.seededFor,
  };
  const gathering = new Gathering(project, store);
  const found = await lookOrFail(tree, memory, gathering, project.root);
  const notes = await notesOf(project, { store, occasion, before, found });
  const isSame =
    before !== undefined &&
    before.failed === notes.failed &&
    before.head === notes.head &&
    before.branch === notes.branch &&
    JSON.stringify(before.repositories) === JSON.stringify(notes.repositories) &&
    hasSameFiles(filesBefore, found.files);
  // That a turn is over counts too: what changes from here on is not its own.
  const openIn = (sessions: SnapshotNotes["sessions"] = {}) =>
    Object.keys(sessions).filter((id) => sessions[id]?.isOpen);
  const hasTurned = openIn(before?.sessions).join() !== openIn(notes.sessions).join();
  const isNew = occasion.isMoment === true || !isSame || hasTurned;
  const snapshot = isNew
    ? await commit(project, { store, prefix, by, before, occasion, notes, found, objects: gathering.rest() })
    : before;
  await gathering.end();
  if (found.look !== undefined)
    writeMemory(folder, {
      root: snapshot.root,
      seededFor: found.look.head,
      stamps: Object.fromEntries(found.look.stamps),
      unmeasuredBytes: (remembered?.unmeasuredBytes ?? 0) + gathering.bytes,
    });
  return { snapshot, before, files: found.files, isNew };
}

interface Found {
  readonly files: FilesByPath;
  /** Undefined where it failed, for the reason beside it. */
  readonly look?: FilesLook;
  readonly failed?: string;
}

async function lookOrFail(
  tree: LookedTree,
  memory: Parameters<typeof look>[1],
  gathering: Gathering,
  root: string,
): Promise<Found> {
  try {
    const { bavail, bsize } = statfsSync(root);
    if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("less than 1 GB of the disk is free");
    const seen = await look(tree, memory, gathering.keep);
    return { look: seen, files: new Map(seen.files.map((file) => [file.path, file])) };
  } catch (error) {
    if (isCheckpointError(error)) throw error;
    const failed = oneLine(messageOf(error));
    return { failed, files: memory.files };
  }
}

function hasSameFiles(before: FilesByPath, now: FilesByPath): boolean {
  if (before.size !== now.size) return false;
  for (const [path, file] of now) {
    const old = before.get(path);
    if (old === undefined || !isSameVersion(old.now, file.now)) return false;
    if (old.leftOut?.stamp !== file.leftOut?.stamp) return false;
    if (old.committed?.blob !== file.committed?.blob) return false;
  }
  return true;
}

async function notesOf(
  project: Project,
  given: {
    readonly store: Store;
    readonly occasion: SnapshotOccasion;
    readonly before: Snapshot | undefined;
    readonly found: Found;
  },
): Promise<SnapshotNotes> {
  const { store, occasion, before, found } = given;
  const { look: seen, failed = null, files } = found;
  const { turn, by, sessions } = nextTurns(before?.sessions ?? {}, occasion.session, project.now());
  const ofHead = occasion.trail === undefined ? undefined : await store.head(occasion.trail);
  const { head = null, branch = null, isGit = false, repositories = [] } = seen ?? before ?? {};
  return {
    why: occasion.why,
    of: ofHead ?? null,
    turn,
    by: occasion.why === "rewound" ? [REWOUND] : by,
    tools: occasion.tools ?? [],
    head,
    branch,
    isGit,
    failed,
    sessions,
    repositories,
    files: files.size,
    leftOut: [...files.values()].filter(({ leftOut }) => leftOut !== undefined).length,
  };
}

interface NewSnapshot {
  readonly store: Store;
  readonly prefix: string;
  readonly by: CommitNotes;
  readonly before: Snapshot | undefined;
  readonly occasion: SnapshotOccasion;
  readonly notes: SnapshotNotes;
  readonly found: Found;
  readonly objects: readonly NewObject[];
}

async function commit(project: Project, snapshot: NewSnapshot): Promise<Snapshot> {
  const { store, prefix, by, before, occasion, notes, found, objects } = snapshot;
  const isFull = before !== undefined && (await store.count(before.info.trail)) >= SEGMENT_LENGTH;
  const trail = before && !isFull ? before.info.trail : segmentAfter(prefix, before?.info.trail);
  const parent = isFull ? undefined : before?.info;
  const files = found.look?.files ?? [];
  const written = found.look
    ? writeParts(files, before?.parts ?? [])
    : { parts: before?.parts ?? [], objects: [] };
  const root = writeRoot(notes as unknown as JsonObject, written.parts, before?.root);
  const created = project.now();
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
    objects: [...objects, ...written.objects, root],
    checkpoint: object,
    bytesAreFinal: true,
    trail,
    parent: parent?.content_hash,
    createdAt: created.getTime(),
    head: { from: parent?.content_hash },
    revives: true,
  });
  return { ...notes, info, root: root.id, parts: written.parts };
}
