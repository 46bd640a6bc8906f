import { createHash } from "node:crypto";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Store, StoredCheckpoint } from "../../../core/store/contract.ts";
import { HIDDEN_PREFIX } from "../../../core/store/hidden-trails.ts";
import { readCheckpoint, type CheckpointInfo } from "../../../core/trails/document.ts";
import type { Project } from "../../../work/project/project.ts";
import type { FilesByPath } from "./snapshot-file.ts";
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
  readonly isGit: boolean;
  /** Why the files could not be looked at. Then nothing is known of them, and `parts` are those of the snapshot before. */
  readonly failed: string | null;
  readonly sessions: Readonly<Record<string, SessionTurn>>;
  /** Repositories inside, whose files are not covered, and their commits. */
  readonly repositories: readonly { readonly path: string; readonly head: string | null }[];
  /** How many files are listed, and how many of them without their content. */
  readonly files: number;
  readonly leftOut: number;
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

/** How the names of a tree's trails begin. A store on a server may serve many trees. */
export function snapshotTrails({
  root,
  shared,
  machine,
}: Pick<Project, "root" | "shared" | "machine">): string {
  if (shared === undefined) return `${HIDDEN_PREFIX}files/tree/`;
  const tree = createHash("sha256").update(`${machine.host}\n${root}`).digest("hex").slice(0, 16);
  return `${HIDDEN_PREFIX}files/${tree}/`;
}

/** The trails of a tree, newest first. */
export async function segmentsOf(store: Store, prefix: string): Promise<string[]> {
  const names = (await store.trails({ prefix })).map(({ name }) => name);
  return names.toSorted().toReversed();
}

/** The trail after another: the first where there is none. */
export function segmentAfter(prefix: string, segment: string | undefined): string {
  const number = segment === undefined ? 1 : Number(segment.slice(prefix.length)) + 1;
  return `${prefix}${String(number).padStart(NUMBER_DIGITS, "0")}`;
}

/** The snapshots of a tree, newest first. */
export async function readSnapshots(store: Store, prefix: string): Promise<Snapshot[]> {
  const found: Snapshot[] = [];
  for (const trail of await segmentsOf(store, prefix))
    found.push(...(await toSnapshots(store, await store.history(trail))));
  return found;
}

/** The newest snapshot of a tree. */
export async function newestSnapshot(store: Store, prefix: string): Promise<Snapshot | undefined> {
  const [trail] = await segmentsOf(store, prefix);
  return trail === undefined
    ? undefined
    : (await toSnapshots(store, await store.history(trail, { limit: 1 })))[0];
}

async function toSnapshots(store: Store, stored: readonly StoredCheckpoint[]): Promise<Snapshot[]> {
  const read = stored.map(({ id, bytes }) => readCheckpoint(id, bytes));
  const roots = await readRoots(
    read.map(({ root }) => root),
    (ids) => store.readObjects(ids),
  );
  return read.map(({ info, root }) => {
    const { said, parts } = roots.get(root) as { said: JsonObject; parts: SnapshotPart[] };
    return { ...(said as unknown as SnapshotNotes), info, root, parts };
  });
}

/** The files that a snapshot lists. */
export async function filesOf(store: Store, { parts }: Pick<Snapshot, "parts">): Promise<FilesByPath> {
  const files = await readParts(parts, (ids) => store.readObjects(ids));
  return new Map(files.map((file) => [file.path, file]));
}
