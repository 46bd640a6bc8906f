import { setImmediate as turn } from "node:timers/promises";
import { join } from "node:path";
import { newBytes, type NewObject, rawIdOf } from "../../../core/objects/object-format.ts";
import type { ObjectId } from "../../../core/objects/object-id.ts";
import type { Redactor } from "../../../core/redaction/redactor.ts";
import { readGitHead } from "../../../work/capture/git/git-head.ts";
import type { GitChange } from "../../../work/capture/git/git-status.ts";
import { treeStatus } from "../../../work/capture/git/git-tree.ts";
import { readBlobs } from "../../../work/capture/git/read-blobs.ts";
import { redactorOf } from "../../../work/project/settings/settings.ts";
import {
  type FilesByPath,
  type FileMode,
  type FileVersion,
  isSameVersion,
  piecesOf,
  type SnapshotFile,
} from "../snapshot/snapshot-file.ts";
import type { SnapshotNotes } from "../snapshot/snapshots.ts";
import type { FileTree } from "../tree/tree.ts";
import { holdsSecret, whyLeftOut } from "./left-out.ts";
import { findEntry, isYoung, readEntry } from "./read-entry.ts";

/** What an earlier look knows. */
export interface LookMemory {
  readonly files: FilesByPath;
  /** Which stamp each file had whose state is in `files`. Files that were young then are missing. */
  readonly stamps: Readonly<Record<string, string>>;
  /** The commit that our index was made for. */
  readonly seededFor: string | null | undefined;
}

/** What a look found. */
export interface FilesLook extends Pick<SnapshotNotes, "head" | "branch" | "repositories"> {
  /** In the order of their paths. */
  readonly files: FilesByPath;
  readonly stamps: LookMemory["stamps"];
  /** Names that are no text cannot be stored. */
  readonly unnamed: number;
}

/** Takes content in that is to be stored. May wait until there is room for more. */
export type KeepContent = (object: NewObject) => Promise<void> | void;

interface Looking {
  readonly tree: FileTree;
  readonly memory: LookMemory;
  readonly keep: KeepContent;
  readonly redactor: () => Promise<Redactor>;
}

/** More are not looked at: then the look has failed. */
const MOST_CHANGED = 20_000;
/** Without git, more content is not kept. */
const MOST_BYTES_WITHOUT_GIT = 200 * 1024 * 1024;
/** Work on other things gets a turn after so many files. */
const FILES_AT_ONCE = 50;

/** Looks at the files as they are on the disk, no matter what changed them. Throws an error that says why it could not. */
export async function look(tree: FileTree, memory: LookMemory, keep: KeepContent): Promise<FilesLook> {
  const { head, branch, changes } = await treeStatus(tree, memory.seededFor);
  let redactor: Promise<Redactor> | undefined;
  const looking = { tree, memory, keep, redactor: () => (redactor ??= redactorOf(tree.project)) };
  const { changed, repositories, unnamed } = sorted(tree, changes);
  const stamps: [string, string][] = [];
  const found: [GitChange, SnapshotFile][] = [];
  let bytes = 0;
  for (const [at, change] of changed.entries()) {
    if (at % FILES_AT_ONCE === FILES_AT_ONCE - 1) await turn();
    const seen = await lookAt(looking, change);
    if (seen === undefined) continue;
    if (seen.stamp !== undefined) stamps.push([change.path, seen.stamp]);
    found.push([change, seen.file]);
    bytes += seen.file.now?.size ?? 0;
    if (tree.command.ownRepository !== undefined && bytes > MOST_BYTES_WITHOUT_GIT)
      throw new Error("there are more than 200 MB of files, and no git repository");
  }
  const files = await withCommitted(looking, found);
  files.sort((one, other) => (one.path < other.path ? -1 : 1));
  const byPath = new Map(files.map((file) => [file.path, file]));
  // An object made of entries has even a file called `__proto__` as its own.
  return { head, branch, repositories, unnamed, files: byPath, stamps: Object.fromEntries(stamps) };
}

/** Files, and repositories inside, whose files are not covered. */
function sorted({ root }: FileTree, changes: readonly GitChange[]) {
  // Another project below may have a store too.
  const covered = changes.filter(({ path }) => !path.split("/").includes(".cairn"));
  const [files = [], inside = []] = [false, true].map((is) =>
    covered.filter(({ isRepository }) => isRepository === is),
  );
  const repositories = inside.map((each) => {
    const path = each.path.replace(/\/$/, "");
    return { path, head: readGitHead(join(root, path))?.head ?? null };
  });
  // A file that was taken out of the index and is still there is listed twice.
  const byPath = new Map<string, GitChange>();
  for (const each of files) if (!byPath.get(each.path)?.committed) byPath.set(each.path, each);
  const named = [...byPath.values()].filter(({ path }) => !path.includes("\uFFFD"));
  if (named.length > MOST_CHANGED) throw new Error(`more than ${MOST_CHANGED} files differ from the commit`);
  return { changed: named, repositories, unnamed: byPath.size - named.length };
}

interface SeenFile {
  readonly file: SnapshotFile;
  readonly stamp?: string | undefined;
}

/** A file as it is now, without what HEAD has; undefined for one that neither is there nor was committed. */
async function lookAt(looking: Looking, { path, committed }: GitChange): Promise<SeenFile | undefined> {
  const { tree, memory } = looking;
  const lookedAt = tree.project.now();
  const entry = findEntry(tree.root, path);
  if (entry === undefined) return committed === null ? undefined : { file: { path } };
  const stamp = isYoung(entry, lookedAt) ? undefined : entry.stamp;
  const known = memory.files.get(path);
  if (known && Object.hasOwn(memory.stamps, path) && memory.stamps[path] === entry.stamp)
    return { file: known, stamp };
  const isTracked = committed !== null;
  const early = whyLeftOut(path, entry.size, isTracked);
  const { why, mode, content } = early ? { why: early } : readEntry(tree.root, path, entry);
  const leftOut = (reason: typeof why & string) => ({
    file: { path, leftOut: { why: reason, size: entry.size, stamp: entry.stamp } },
    stamp,
  });
  if (why !== undefined) return leftOut(why);
  if (!isTracked && mode !== "120000") {
    // A search takes a third of a second a megabyte: others get a turn.
    await turn();
    if (holdsSecret(content, await looking.redactor())) return leftOut("secret");
  }
  const before = (known?.now ?? known?.committed)?.pieces;
  return { file: { path, now: await store(looking, mode, content, before) }, stamp };
}

/** Content as it is stored, as a change of what stood there before. */
async function store(
  { keep }: Looking,
  mode: FileMode,
  content: Buffer,
  before: readonly ObjectId[] = [],
): Promise<FileVersion> {
  const pieces: ObjectId[] = [];
  for (const piece of piecesOf(content)) {
    const id = rawIdOf(piece);
    if (!before.includes(id)) await keep(newBytes(piece, before[pieces.length]));
    pieces.push(id);
  }
  return { mode, size: content.length, pieces };
}

/** Adds what HEAD has: it stays with us, because git forgets what is reset away. Files that are as committed are left out. */
async function withCommitted(
  looking: Looking,
  found: readonly (readonly [GitChange, SnapshotFile])[],
): Promise<SnapshotFile[]> {
  const { tree, memory } = looking;
  const knownOf = ({ path, committed }: GitChange) => {
    const known = memory.files.get(path)?.committed;
    return known && known.blob === committed?.blob ? known : undefined;
  };
  const wanted = found.flatMap(([change]) =>
    change.committed && !knownOf(change) ? [{ path: change.path, ...change.committed }] : [],
  );
  const contents = await readBlobs(tree, wanted);
  const files: SnapshotFile[] = [];
  for (const [change, file] of found) {
    const { path, committed } = change;
    const content = contents.get(path);
    let base: SnapshotFile["committed"] = committed === null ? null : knownOf(change);
    if (committed && content && whyLeftOut(path, content.length, true) === undefined) {
      const version = await store(looking, committed.mode as FileMode, content, file.now?.pieces);
      base = { ...version, blob: committed.blob };
    }
    const isAsCommitted = base && file.now && isSameVersion(base, file.now);
    if (!isAsCommitted) files.push({ ...file, committed: base });
  }
  return files;
}
