import { createHash } from "node:crypto";
import { rawContent } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import { readChecked, type ReadObjects } from "../../../core/objects/read-tree.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { HIDDEN_PREFIX } from "../../../core/store/hidden-trails.ts";
import { readCheckpoint, type CheckpointInfo } from "../../../core/trails/document.ts";
import type { Project } from "../../../work/project/project.ts";
import type { FilesByPath, FileVersion } from "./snapshot-file.ts";
import { readParts, readRoots, type SnapshotPart } from "./snapshot-format.ts";

/** Why a snapshot was taken. */
export type SnapshotWhy =
  | "prompt"
  | "tools"
  | "turn-end"
  | "before-compaction"
  | "before-command"
  | "manual"
  | "before-rewind"
  | "rewound";

/** What a session was doing: its turn, whether that is under way, and when it last gave a sign. */
export interface SessionTurn {
  readonly turn: number;
  readonly isOpen: boolean;
  readonly at: string;
}

/** What is said of the files of one moment. */
export interface SnapshotNotes {
  readonly why: SnapshotWhy;
  /** The checkpoint of the work that it belongs to. */
  readonly of: string | null;
  /** The session's turn. */
  readonly turn: number | null;
  /** In whose turns the files changed since the snapshot before: sessions; none means a person. */
  readonly by: readonly string[];
  /** After which tools that was seen. */
  readonly tools: readonly string[];
  readonly head: string | null;
  readonly branch: string | null;
  /** Why the files could not be looked at. Then nothing is known of them, and `parts` are those of the snapshot before. */
  readonly failed: string | null;
  readonly sessions: Readonly<Record<string, SessionTurn>>;
  /** Repositories inside, whose files are not covered, and their commits. */
  readonly repositories: readonly { readonly path: string; readonly head: string | null }[];
  /** How many files are listed, and how many of them without their content. */
  readonly files: number;
  readonly leftOut: number;
  /** What a rewind did that ended here. */
  readonly rewind: RewindDone | null;
}

/** A rewind by which it can be taken back: the snapshot before it, and the files that it changed. */
export interface RewindDone {
  readonly before: string;
  readonly target: string;
  readonly paths: readonly string[];
}

export interface Snapshot extends SnapshotNotes {
  readonly info: CheckpointInfo;
  readonly root: ObjectId;
  readonly parts: readonly SnapshotPart[];
}

/**
 * The snapshots of a tree stand in hidden trails of so many each. What is old goes with a whole trail, so a snapshot is the
 * parent of another only within one.
 */
export const SEGMENT_LENGTH = 100;
const NUMBER_DIGITS = 8;

type Owner = Pick<Project, "root" | "shared" | "machine">;

/** How the names of a tree's trails begin. A store on a server may serve many trees. */
function prefixOf({ root, shared, machine }: Owner): string {
  if (shared === undefined) return `${HIDDEN_PREFIX}files/tree/`;
  const tree = createHash("sha256").update(`${machine.host}\n${root}`).digest("hex").slice(0, 16);
  return `${HIDDEN_PREFIX}files/${tree}/`;
}

/** The trail for content that does not fit into one commit. */
export const aheadOf = (owner: Owner) => prefixOf(owner).replace(/\/$/, "-ahead");

/** The trails of a tree, newest first. */
export async function segmentsOf(store: Store, owner: Owner): Promise<string[]> {
  const names = (await store.trails({ prefix: prefixOf(owner) })).map(({ name }) => name);
  return names.toSorted().toReversed();
}

/** Where a snapshot goes. */
export interface SnapshotPlace {
  readonly trail: string;
  readonly parent: CheckpointInfo | undefined;
}

/** Where the snapshot after another goes. */
export async function placeAfter(
  store: Store,
  owner: Owner,
  before: Snapshot | undefined,
): Promise<SnapshotPlace> {
  const prefix = prefixOf(owner);
  if (before && (await store.count(before.info.trail)) < SEGMENT_LENGTH)
    return { trail: before.info.trail, parent: before.info };
  const number = before ? Number(before.info.trail.slice(prefix.length)) + 1 : 1;
  return { trail: `${prefix}${String(number).padStart(NUMBER_DIGITS, "0")}`, parent: undefined };
}

/** The snapshots of a tree, newest first. */
export async function readSnapshots(store: Store, owner: Owner): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for (const trail of await segmentsOf(store, owner))
    found.push(...(await toSnapshots(store, await store.history(trail))));
  return found;
}

/** The newest snapshot of a tree. */
export async function newestSnapshot(store: Store, owner: Owner): Promise<Snapshot | undefined> {
  const [trail] = await segmentsOf(store, owner);
  return trail === undefined
    ? undefined
    : (await toSnapshots(store, await store.history(trail, { limit: 1 })))[0];
}

async function toSnapshots(store: Store, stored: readonly StoredCheckpoint[]): Promise<Snapshot[]> {
  const read = stored.map(({ id, bytes }) => readCheckpoint(id, bytes));
  const roots = await readRoots<SnapshotNotes>(
    read.map(({ root }) => root),
    (ids) => store.readObjects(ids),
  );
  return read.map(({ info, root }) => {
    const said = roots.get(root) as SnapshotNotes & Pick<Snapshot, "parts">;
    return { ...said, info, root };
  });
}

/** The files that a snapshot lists. */
export async function filesOf(store: Store, { parts }: Pick<Snapshot, "parts">): Promise<FilesByPath> {
  const files = await readParts(parts, (ids) => store.readObjects(ids));
  return new Map(files.map((file) => [file.path, file]));
}

/** The content of stored files in one read, each piece checked against its name. */
export async function contentsOf<Version extends Pick<FileVersion, "pieces">>(
  versions: readonly Version[],
  read: ReadObjects,
): Promise<Map<Version, Buffer>> {
  const found = await readChecked([...new Set(versions.flatMap(({ pieces }) => pieces))], read);
  const contentOf = ({ pieces }: Version) =>
    Buffer.concat(pieces.map((id) => rawContent(found.get(id) as Uint8Array)));
  return new Map(versions.map((version) => [version, contentOf(version)]));
}
