import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { rawIdOf } from "../../../core/objects/object-format.ts";
import { type FileMode, type FileVersion, isSameVersion, piecesOf } from "../snapshot/snapshot-file.ts";
import { errorCode } from "../../../work/machine/read-bounded.ts";
import { findEntry, hasLinkAbove, readEntry } from "../look/read-entry.ts";
import { type FileSide, readSides } from "../moments/sides.ts";
import { levelsOf, type FileTree } from "../tree/tree.ts";
import type { JournalStep } from "./journal.ts";
import type { LeftFile } from "./plan.ts";

/** What became of the steps of a journal. */
export interface AppliedRewind {
  readonly done: readonly string[];
  /** Changed by another program in the meantime, or not ours to write. */
  readonly left: readonly LeftFile[];
}

/** So many files are read from the store at once. */
const READ_AT_ONCE = 100;

/**
 * Does what a journal says, or what is left of it: a file that is as it will be is done, one that is as it was is replaced by
 * one rename, and anything else is left alone, because another program wrote it. May be killed and called again at any moment.
 */
export async function applySteps(tree: FileTree, steps: readonly JournalStep[]): Promise<AppliedRewind> {
  const { store } = await tree.project.stores.open(tree.project, "read");
  const ordered = inOrder(steps);
  // A rewind that was killed may have left one.
  rmSync(join(tree.folder, "new"), { force: true });
  const done: string[] = [];
  const left: LeftFile[] = [];
  for (let start = 0; start < ordered.length; start += READ_AT_ONCE) {
    const some = ordered.slice(start, start + READ_AT_ONCE);
    const read = (key: "from" | "to", isNeeded: (side: FileSide) => boolean) =>
      readSides(
        tree,
        some.flatMap(({ path, [key]: side }) => (isNeeded(side) ? [{ path, side }] : [])),
        (ids) => store.readObjects(ids),
      );
    // What is stored is known by its name. What git makes of a blob depends on its settings, too.
    const [before, after] = [await read("from", ({ kind }) => kind === "blob"), await read("to", () => true)];
    for (const { path, from, to } of some) {
      const [have, want] = [contentOf(from, before.get(from)), contentOf(to, after.get(to))];
      const why =
        have === undefined || want === undefined
          ? "git does not have its content any more"
          : applyStep(tree, { path, have, want });
      if (why === undefined) done.push(path);
      else left.push({ path, why });
    }
  }
  return { done, left };
}

/** A file with its name, by the ids of its pieces, so that nothing else is taken for it; null is one that is not there. */
interface Content extends Pick<FileVersion, "mode" | "pieces"> {
  readonly bytes?: Buffer | undefined;
}

interface Step {
  readonly path: string;
  readonly have: Content | null;
  readonly want: Content | null;
}

function contentOf(side: FileSide, bytes: Buffer | undefined): Content | null | undefined {
  if (side.kind === "absent") return null;
  if (side.kind === "stored") return { mode: side.version.mode, pieces: side.version.pieces, bytes };
  return side.kind === "blob" && bytes ? contentNamed(side.mode, bytes) : undefined;
}

const contentNamed = (mode: FileMode, bytes: Buffer): Content => ({
  mode,
  pieces: piecesOf(bytes).map(rawIdOf),
  bytes,
});

/** What stands in the way of others goes before them: a file where a folder will be, or the other way round. All else goes last. */
function inOrder(steps: readonly JournalStep[]): readonly JournalStep[] {
  const going = new Set(steps.filter(({ to }) => to.kind === "absent").map(({ path }) => path));
  const aboveGoing = new Set([...going].flatMap(foldersAbove));
  const isBlocked = (path: string) =>
    aboveGoing.has(path) || foldersAbove(path).some((each) => going.has(each));
  const rank = ({ path }: JournalStep) => (going.has(path) ? 1 : isBlocked(path) ? 2 : 0);
  return steps.toSorted((one, other) => rank(one) - rank(other));
}

const foldersAbove = (path: string) => levelsOf(path).slice(0, -1);

/** Undefined if it is done; otherwise why the file stays as it is. */
function applyStep(tree: FileTree, { path, have, want }: Step): string | undefined {
  const { root } = tree;
  const absolute = join(root, path);
  try {
    if (hasLinkAbove(root, path))
      return want === null ? undefined : "a link or a file stands in place of its folder";
    // Folders whose files all went elsewhere are in no snapshot.
    if (have === null && want !== null) removeIfEmpty(absolute);
    const stats = lstatSync(absolute, { throwIfNoEntry: false });
    const found = contentAt(root, path, stats);
    // It went, and a folder came in its place: perhaps by this very rewind, before it was killed.
    if (want === null && stats?.isDirectory()) return undefined;
    if (found === undefined) return "a folder, or what is no file, stands in its place";
    if (!isSameVersion(found, want)) {
      if (!isSameVersion(found, have)) return "it was changed in the meantime";
      // A file of another user is not replaced by one of ours.
      const { userId } = tree.project.machine;
      if (userId !== undefined && stats !== undefined && stats.uid !== userId)
        return "it cannot be written (EPERM)";
      if (want === null) unlinkSync(absolute);
      else writeFile(tree, absolute, { want, before: stats });
    }
    // Killed between a file and its folder, the folder is still there, and may stand in the way of a file.
    if (want === null)
      for (const above of foldersAbove(path).toReversed()) if (!removeIfEmpty(join(root, above))) break;
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    rmSync(join(tree.folder, "new"), { force: true });
    return `it cannot be written (${code})`;
  }
}

/** What is at a path now; null where nothing is; undefined where it is a folder, a pipe, or not readable. */
function contentAt(root: string, path: string, stats: Stats | undefined): Content | null | undefined {
  const entry = findEntry(root, path);
  if (entry === undefined) return stats === undefined ? null : undefined;
  const read = readEntry(root, path, entry);
  return read.why === undefined ? contentNamed(read.mode, read.content) : undefined;
}

/** Whether it went: otherwise nothing is there, or it is not an empty folder. */
function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

interface NewFile {
  readonly want: Content;
  readonly before: Stats | undefined;
}

/** Writes the content beside the project, and brings it into its place by one rename. */
function writeFile({ folder }: FileTree, absolute: string, { want, before }: NewFile): void {
  const { mode, bytes = Buffer.alloc(0) } = want;
  const temporary = join(folder, "new");
  if (mode === "120000") symlinkSync(bytes, temporary);
  else {
    // All permissions stay but the executable bit, which is as it was.
    const bits = before?.isFile() ? before.mode & 0o777 : undefined;
    const [all, runs] = [bits ?? 0o644, mode === "100755"];
    const permissions = runs ? all | ((all & 0o444) >> 2) : all & ~0o111;
    writeFileSync(temporary, bytes, { flag: "wx", mode: permissions });
    if (bits !== undefined) chmodSync(temporary, permissions);
  }
  try {
    renameSync(temporary, absolute);
  } catch (error) {
    if (errorCode(error) === "ENOENT") mkdirSync(dirname(absolute), { recursive: true });
    if (errorCode(error) === "EXDEV") renameAcross(temporary, absolute, want);
    else renameSync(temporary, absolute);
  }
}

/** Into a folder on another disk: a copy beside the file, then the rename. */
function renameAcross(temporary: string, absolute: string, { mode, pieces }: Content): void {
  // The name is ours: one that is there was left by a copy that was killed.
  const beside = `${absolute}.cairn-${(pieces[0] ?? "empty").slice(0, 16)}`;
  rmSync(beside, { force: true });
  if (mode === "120000") symlinkSync(readlinkSync(temporary, "buffer"), beside);
  else copyFileSync(temporary, beside);
  renameSync(beside, absolute);
  rmSync(temporary);
}
