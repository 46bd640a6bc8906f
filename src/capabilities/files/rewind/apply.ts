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
import { isSameVersion, piecesOf } from "../snapshot/snapshot-file.ts";
import { errorCode } from "../../../work/machine/read-bounded.ts";
import { findEntry, hasLinkAbove, readEntry } from "../look/read-entry.ts";
import { type FileSide, readSides } from "../moments/sides.ts";
import { levelsOf, type FileTree } from "../tree/tree.ts";
import type { JournalContent, JournalStep } from "./journal.ts";
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
  const done: string[] = [];
  const left: LeftFile[] = [];
  for (let start = 0; start < ordered.length; start += READ_AT_ONCE) {
    const some = ordered.slice(start, start + READ_AT_ONCE);
    const sides = some.map(({ path, want }) => ({ path, side: sideOf(want) }));
    const contents = await readSides(tree, sides, (ids) => store.readObjects(ids));
    for (const [at, step] of some.entries()) {
      const why = applyStep(tree, step, contents.get((sides[at] as (typeof sides)[number]).side));
      if (why === undefined) done.push(step.path);
      else left.push({ path: step.path, why });
    }
  }
  return { done, left };
}

function sideOf(content: JournalContent | null): FileSide {
  if (content === null) return { kind: "absent" };
  const { blob, mode } = content;
  return blob === undefined
    ? { kind: "stored", version: { ...content, size: 0 } }
    : { kind: "blob", mode, blob };
}

/** What stands in the way of others goes before them: a file where a folder will be, or the other way round. All else goes last. */
function inOrder(steps: readonly JournalStep[]): readonly JournalStep[] {
  const going = new Set(steps.filter(({ want }) => want === null).map(({ path }) => path));
  const aboveGoing = new Set([...going].flatMap(foldersAbove));
  const isBlocked = (path: string) =>
    aboveGoing.has(path) || foldersAbove(path).some((each) => going.has(each));
  const rank = ({ path, want }: JournalStep) => (want === null ? 1 : isBlocked(path) ? 2 : 0);
  return steps.toSorted((one, other) => rank(one) - rank(other));
}

const foldersAbove = (path: string) => levelsOf(path).slice(0, -1);

/** Undefined if it is done; otherwise why the file stays as it is. */
function applyStep(
  tree: FileTree,
  { path, have, want }: JournalStep,
  content: Buffer | undefined,
): string | undefined {
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
      // What git makes of a blob depends on its settings, too.
      else if (!content || (want.blob && !isSameVersion(contentName(want.mode, content), want)))
        return "what it should become is gone";
      else writeFile(tree, absolute, { want, content, before: stats });
    }
    // Killed between a file and its folder, the folder is still there, and may stand in the way of a file.
    if (want === null)
      for (const above of foldersAbove(path).toReversed()) if (!removeIfEmpty(join(root, above))) break;
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return `it cannot be written (${code})`;
  }
}

/** What is at a path now; null where nothing is; undefined where it is a folder, a pipe, or not readable. */
function contentAt(root: string, path: string, stats: Stats | undefined): JournalContent | null | undefined {
  const entry = findEntry(root, path);
  if (entry === undefined) return stats === undefined ? null : undefined;
  const read = readEntry(root, path, entry);
  return read.why === undefined ? contentName(read.mode, read.content) : undefined;
}

export function contentName(mode: JournalContent["mode"], content: Buffer): JournalContent {
  return { mode, pieces: piecesOf(content).map(rawIdOf) };
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
  readonly want: JournalContent;
  readonly content: Buffer;
  readonly before: Stats | undefined;
}

/** Writes the content beside the project, and brings it into its place by one rename. */
function writeFile({ folder }: FileTree, absolute: string, { want, content, before }: NewFile): void {
  const temporary = join(folder, "new");
  const mode = want.mode === "100755" ? 0o755 : 0o644;
  // A rewind that was killed may have left one.
  rmSync(temporary, { force: true });
  if (want.mode === "120000") symlinkSync(content, temporary);
  else writeFileSync(temporary, content, { flag: "wx", mode });
  // All permissions stay but the executable bit, which is as it was.
  if (want.mode !== "120000" && before?.isFile()) {
    const bits = before.mode & 0o777;
    chmodSync(temporary, mode === 0o755 ? bits | ((bits & 0o444) >> 2) : bits & ~0o111);
  }
  mkdirSync(dirname(absolute), { recursive: true });
  try {
    renameSync(temporary, absolute);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    renameAcross(temporary, absolute, want);
  }
}

/** Into a folder on another disk: a copy beside the file, then the rename. */
function renameAcross(temporary: string, absolute: string, { mode, pieces }: JournalContent): void {
  // The name is ours: one that is there was left by a copy that was killed.
  const beside = `${absolute}.cairn-${(pieces[0] ?? "empty").slice(0, 16)}`;
  rmSync(beside, { force: true });
  if (mode === "120000") symlinkSync(readlinkSync(temporary, "buffer"), beside);
  else copyFileSync(temporary, beside);
  renameSync(beside, absolute);
}
