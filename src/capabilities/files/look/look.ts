import { setImmediate as turn } from "node:timers/promises";
import { newBytes, type NewObject, rawIdOf } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { findGit } from "../../../work/capture/git/git-head.ts";
import type { Environment } from "../../../work/machine/environment.ts";
import {
  type FilesByPath,
  type FileMode,
  type FileVersion,
  piecesOf,
  type SnapshotFile,
} from "../snapshot/snapshot-file.ts";
import type { SnapshotNotes } from "../snapshot/snapshots.ts";
import { readCommitted } from "./committed-content.ts";
import { type ChangedPath, type GitStatusNow, type GitTree, readStatus } from "./git-status.ts";
import { holdsSecret, whyLeftOut } from "./left-out.ts";
import { type DiskEntry, findEntry, isYoung, readEntry } from "./read-entry.ts";
import { walk } from "./walk.ts";

/** The tree of files that is looked at, and what that takes. */
export interface LookedTree {
  readonly root: string;
  /** Our index of it. */
  readonly index: string;
  readonly env: Environment;
  readonly now: () => Date;
  readonly redactor: () => Promise<Redactor>;
  readonly timeoutMs: number;
}

/** What an earlier look knows. */
export interface LookMemory {
  readonly files: FilesByPath;
  /** Which stamp each file had whose state is in `files`. Files that were young then are missing. */
  readonly stamps: ReadonlyMap<string, string>;
  /** The commit that our index was made for. */
  readonly seededFor: string | null | undefined;
}

/** What a look found. */
export interface FilesLook extends Pick<SnapshotNotes, "head" | "branch" | "isGit" | "repositories"> {
  /** In the order of their paths. */
  readonly files: readonly SnapshotFile[];
  readonly stamps: ReadonlyMap<string, string>;
  readonly unnamed: number;
}

/** Takes content in that is to be stored. May wait until there is room for more. */
export type KeepContent = (object: NewObject) => Promise<void> | void;

/** Work on other things gets a turn after so many files. */
const FILES_AT_ONCE = 50;
/** Without git, more content is not kept. */
const MOST_BYTES_WITHOUT_GIT = 200 * 1024 * 1024;

/** Looks at the files as they are on the disk, no matter what changed them. Throws an error that says why it could not. */
export async function look(
  tree: LookedTree,
  memory: LookMemory,
  keep: KeepContent = () => {},
): Promise<FilesLook> {
  const git = findGit(tree.root);
  const gitTree = git && { ...tree, git };
  const status: GitStatusNow = gitTree
    ? await readStatus(gitTree, memory.seededFor)
    : { head: null, branch: null, ...walk(tree.root) };
  const looking = new Looking(tree, memory, keep, gitTree !== undefined);
  const found = [];
  for (const [at, changed] of status.changed.entries()) {
    if (at % FILES_AT_ONCE === FILES_AT_ONCE - 1) await turn();
    const file = await looking.file(changed);
    if (file !== undefined) found.push(file);
  }
  const files = gitTree ? await looking.withCommitted(gitTree, found, status.changed) : found;
  const { head, branch, repositories, unnamed } = status;
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  return { head, branch, repositories, unnamed, files, stamps: looking.stamps, isGit: git !== undefined };
}

class Looking {
  readonly stamps = new Map<string, string>();
  readonly #tree: LookedTree;
  readonly #memory: LookMemory;
  readonly #keep: KeepContent;
  readonly #isGit: boolean;
  #bytes = 0;

  constructor(tree: LookedTree, memory: LookMemory, keep: KeepContent, isGit: boolean) {
    this.#tree = tree;
    this.#memory = memory;
    this.#keep = keep;
    this.#isGit = isGit;
  }

  /** A file as it is now, without what HEAD has; undefined for one that neither is there nor was committed. */
  async file({ path, committed }: ChangedPath): Promise<SnapshotFile | undefined> {
    const lookedAt = this.#tree.now();
    const entry = findEntry(this.#tree.root, path);
    if (entry === undefined) return committed === null ? undefined : { path };
    if (!isYoung(entry, lookedAt)) this.stamps.set(path, entry.stamp);
    const known = this.#memory.files.get(path);
    if (known && this.#memory.stamps.get(path) === entry.stamp) return this.#count(known);
    return this.#count(await this.#read(path, entry, committed !== null));
  }

  #count(file: SnapshotFile): SnapshotFile {
    this.#bytes += file.now?.size ?? 0;
    if (!this.#isGit && this.#bytes > MOST_BYTES_WITHOUT_GIT)
      throw new Error("there are more than 200 MB of files, and no git repository");
    return file;
  }

  async #read(path: string, entry: DiskEntry, isTracked: boolean): Promise<SnapshotFile> {
    const leftOut = (why: NonNullable<SnapshotFile["leftOut"]>["why"]) => ({
      path,
      leftOut: { why, size: entry.size, stamp: entry.stamp },
    });
    const early = whyLeftOut(path, entry.size, isTracked);
    if (early !== undefined) return leftOut(early);
    const read = readEntry(this.#tree.root, path, entry);
    if (read.why !== undefined) return leftOut(read.why);
    const { mode, content } = read;
    if (!isTracked && mode !== "120000") {
      // A search takes a third of a second a megabyte: others get a turn.
      await turn();
      if (holdsSecret(content, await this.#tree.redactor())) return leftOut("secret");
    }
    const known = this.#memory.files.get(path);
    return { path, now: await this.store(mode, content, (known?.now ?? known?.committed)?.pieces) };
  }

  /** Content as it is stored, as a change of what stood there before. */
  async store(mode: FileMode, content: Buffer, before: readonly ObjectId[] = []): Promise<FileVersion> {
    const pieces: ObjectId[] = [];
    for (const piece of piecesOf(content)) {
      const id = rawIdOf(piece);
      if (!before.includes(id)) await this.#keep(newBytes(piece, before[pieces.length]));
      pieces.push(id);
    }
    return { mode, size: content.length, pieces };
  }

  /** Adds what HEAD has: it stays with us, because git forgets what is reset away. Files that are as committed are left out. */
  async withCommitted(
    tree: GitTree,
    files: readonly SnapshotFile[],
    changed: readonly ChangedPath[],
  ): Promise<SnapshotFile[]> {
    const committedOf = new Map(changed.map(({ path, committed }) => [path, committed]));
    const wanted = files.flatMap(({ path }) => {
      const committed = committedOf.get(path);
      const isKnown = this.#memory.files.get(path)?.committed?.blob === committed?.blob;
      return committed && !isKnown
        ? [{ path, blob: committed.blob, isLink: committed.mode === "120000" }]
        : [];
    });
    const contents = wanted.length === 0 ? new Map<string, Buffer>() : await readCommitted(tree, wanted);
    const complete: SnapshotFile[] = [];
    for (const file of files) {
      const committed = committedOf.get(file.path);
      const known = this.#memory.files.get(file.path)?.committed;
      const content = contents.get(file.path);
      const version =
        committed && content && whyLeftOut(file.path, content.length, true) === undefined
          ? await this.store(committed.mode, content, file.now?.pieces)
          : undefined;
      const kept = known && known.blob === committed?.blob ? known : undefined;
      const base = version && committed ? { ...version, blob: committed.blob } : kept;
      const isAsCommitted =
        base && file.now?.mode === base.mode && file.now.pieces.join() === base.pieces.join();
      if (!isAsCommitted) complete.push({ ...file, committed: committed === null ? null : base });
    }
    return complete;
  }
}
