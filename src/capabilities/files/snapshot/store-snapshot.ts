import { statfsSync } from "node:fs";
import type { NewObject } from "../../../core/objects/object-format.ts";
import type { Store } from "../../../core/store/contract.ts";
import { type CommitNotes, writeCheckpoint } from "../../../core/trails/document.ts";
import type { LookedAgain } from "../look/look-again.ts";
import { REWOUND } from "../moments/authors.ts";
import type { FileTree } from "../tree/tree.ts";
import type { FilesByPath } from "./snapshot-file.ts";
import { writeParts, writeRoot } from "./snapshot-format.ts";
import { aheadOf, placeAfter, type Snapshot, type SnapshotNotes, type SnapshotPlace } from "./snapshots.ts";
import type { SnapshotOccasion } from "./take-snapshot.ts";
import { killedSessions, nextTurns } from "./turns.ts";

/** A snapshot that is being taken. */
export interface Taking {
  readonly tree: FileTree;
  readonly store: Store;
  readonly occasion: SnapshotOccasion;
  /** The agent and its tier, as the project knows them. */
  readonly by: CommitNotes;
}

/** What is said of the files beside what they are. */
export async function notesOf(
  { tree, store, occasion }: Taking,
  before: Snapshot | undefined,
  { head, branch, repositories, failed, files }: Omit<LookedAgain, "stamps" | "unnamed" | "filesBefore">,
): Promise<SnapshotNotes> {
  const { why, trail, session, tools = [], rewind = null } = occasion;
  const turns = before?.sessions ?? {};
  const { folder, now } = tree.project;
  const killed = await killedSessions(folder, turns);
  const { turn, by, sessions } = nextTurns(turns, session, now(), killed);
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

const LEAST_FREE_BYTES = 1024 ** 3;
/** So much content waits for a commit at most. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * Content on its way to the store. What is more than fits into one commit goes ahead, in snapshots that nobody reads, on a
 * trail of their own that goes when the snapshot itself is there.
 */
export class StoreSnapshot {
  /** Whether so much was stored that the budget is to be looked at. */
  isMuch = false;
  readonly #taking: Taking;
  readonly #before: Snapshot | undefined;
  readonly #ahead: string;
  #objects: NewObject[] = [];
  #bytes = 0;

  constructor(taking: Taking, before: Snapshot | undefined) {
    this.#taking = taking;
    this.#before = before;
    this.#ahead = aheadOf(taking.tree.project);
  }

  readonly keep = async (object: NewObject): Promise<void> => {
    if (this.#objects.length === 0) refuseFullDisk(this.#taking.tree);
    this.#objects.push(object);
    this.#bytes += object.bytes.length;
    this.isMuch ||= this.#bytes > MOST_WAITING_BYTES / 4;
    if (this.#bytes < MOST_WAITING_BYTES) return;
    const now = { mode: "100644", size: 0, pieces: this.#objects.map(({ id }) => id) } as const;
    const files = new Map([["", { path: "", now }]]);
    const nothing = {
      head: null,
      branch: null,
      repositories: [],
      failed: "the look was not finished",
      files,
    };
    const notes = await notesOf(this.#taking, this.#before, nothing);
    await this.#commit(notes, files, { trail: this.#ahead, parent: undefined });
  };

  async commit(notes: SnapshotNotes, files: FilesByPath): Promise<Snapshot> {
    const { store, tree } = this.#taking;
    return this.#commit(notes, files, await placeAfter(store, tree.project, this.#before));
  }

  /** The snapshot is there, or is not needed. What a look that was killed left goes too. */
  async end(): Promise<void> {
    const { store } = this.#taking;
    if ((await store.head(this.#ahead)) !== undefined) await store.remove({ trails: [this.#ahead] });
  }

  async #commit(
    notes: SnapshotNotes,
    files: FilesByPath,
    { trail, parent }: SnapshotPlace,
  ): Promise<Snapshot> {
    const { tree, store, occasion, by } = this.#taking;
    const { parts, objects } = writeParts(files.values(), this.#before?.parts ?? []);
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
      head: { from: parent?.content_hash ?? (await store.head(trail)) },
      revives: true,
    });
    this.isMuch ||= parent === undefined;
    [this.#objects, this.#bytes] = [[], 0];
    return { ...notes, info, root: root.id, parts };
  }
}

function refuseFullDisk({ root }: FileTree): void {
  const { bavail, bsize } = statfsSync(root);
  if (bavail * bsize < LEAST_FREE_BYTES) throw new Error("less than 1 GB of the disk is free");
}
