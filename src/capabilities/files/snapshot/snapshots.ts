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
  | "rewound"
  /** Part of one that was too large for one commit; removed once that is whole. */
  | "gathering";

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
  readonly sequence: number;
  readonly root: ObjectId;
  readonly parts: readonly SnapshotPart[];
}

const FILES_PREFIX = `${HIDDEN_PREFIX}files/`;

/** The trail of the snapshots of a tree. A store on a server may serve many trees. */
export function snapshotTrail({
  root,
  shared,
  machine,
}: Pick<Project, "root" | "shared" | "machine">): string {
  if (shared === undefined) return `${FILES_PREFIX}tree`;
  return `${FILES_PREFIX}${createHash("sha256").update(`${machine.host}\n${root}`).digest("hex").slice(0, 16)}`;
}

/** The snapshots of a tree, newest first, as many as are there. */
export async function readSnapshots(
  store: Store,
  trail: string,
  limit = MOST_SNAPSHOTS,
): Promise<Snapshot[]> {
  const found = await toSnapshots(store, await store.history(trail, { limit }));
  return found.filter(({ why }) => why !== "gathering");
}

/** More are never looked through. */
const MOST_SNAPSHOTS = 20_000;

/** The newest snapshot of a tree. */
export async function newestSnapshot(store: Store, trail: string): Promise<Snapshot | undefined> {
  const head = await store.head(trail);
  if (head === undefined) return undefined;
  const found = await store.find({ trail, idPrefix: head, limit: 1 });
  return (await toSnapshots(store, found))[0];
}

async function toSnapshots(store: Store, stored: readonly StoredCheckpoint[]): Promise<Snapshot[]> {
  const read = stored.map(({ id, bytes, sequence }) => ({ ...readCheckpoint(id, bytes), sequence }));
  const roots = await readRoots(
    read.map(({ root }) => root),
    (ids) => store.readObjects(ids),
  );
  return read.map(({ info, root, sequence }) => {
    const { said, parts } = roots.get(root) as { said: JsonObject; parts: SnapshotPart[] };
    return { ...(said as unknown as SnapshotNotes), info, root, sequence, parts };
  });
}

/** The files that a snapshot lists. */
export async function filesOf(store: Store, { parts }: Pick<Snapshot, "parts">): Promise<FilesByPath> {
  const files = await readParts(parts, (ids) => store.readObjects(ids));
  return new Map(files.map((file) => [file.path, file]));
}
