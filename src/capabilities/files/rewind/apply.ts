import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { rawIdOf } from "../../../core/objects/object-format.ts";
import { isSameVersion, piecesOf } from "../snapshot/snapshot-file.ts";
import { errorCode } from "../../../work/machine/read-bounded.ts";
import { findEntry, hasLinkAbove, readEntry } from "../look/read-entry.ts";
import { type Journal, type JournalContent, type JournalStep, stagedFile } from "./journal.ts";
import type { LeftFile } from "./plan.ts";

/** What became of the steps of a journal. */
export interface AppliedRewind {
  readonly done: readonly string[];
  /** Changed by another program in the meantime, or not ours to write. */
  readonly left: readonly LeftFile[];
}

/** Where files are written, our folder for them, and the user whose files may be replaced. */
export interface RewoundTree {
  readonly root: string;
  readonly folder: string;
  readonly userId: number | undefined;
  /** This very process has just written the new content; otherwise it is compared with what the journal says. */
  readonly isStaged: boolean;
}

type Written = Omit<RewoundTree, "folder">;

/** Puts a file's new content beside the others that wait. */
export function stage(folder: string, step: number, { mode }: JournalContent, content: Buffer): void {
  const path = stagedFile(folder, step);
  if (mode === "120000") symlinkSync(content, path);
  else writeFileSync(path, content, { flag: "wx", mode: mode === "100755" ? 0o755 : 0o644 });
}

/**
 * Does what a journal says, or what is left of it: a file that is as it will be is done, one that is as it was is replaced by
 * one rename, and anything else is left alone, because another program wrote it. May be killed and called again at any moment.
 */
export function applyJournal(
  { root, folder, userId, isStaged }: RewoundTree,
  { steps }: Pick<Journal, "steps">,
): AppliedRewind {
  const done: string[] = [];
  const left: LeftFile[] = [];
  for (const [step, number] of inOrder(steps)) {
    const why = applyStep({ root, userId, isStaged }, step, stagedFile(folder, number));
    if (why === undefined) done.push(step.path);
    else left.push({ path: step.path, why });
  }
  return { done, left };
}

/** What stands in the way of others goes before them: a file where a folder will be, or the other way round. All else goes last. */
function inOrder(steps: readonly JournalStep[]): [JournalStep, number][] {
  const numbered = steps.map((step, number): [JournalStep, number] => [step, number]);
  const going = new Set(steps.filter(({ want }) => want === null).map(({ path }) => path));
  const aboveGoing = new Set([...going].flatMap(foldersAbove));
  const isBlocked = (path: string) =>
    aboveGoing.has(path) || foldersAbove(path).some((each) => going.has(each));
  const rank = ([{ path, want }]: [JournalStep, number]) => (want === null ? 1 : isBlocked(path) ? 2 : 0);
  return numbered.toSorted((one, other) => rank(one) - rank(other));
}

function foldersAbove(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Undefined if it is done; otherwise why the file stays as it is. */
function applyStep(tree: Written, step: JournalStep, staged: string): string | undefined {
  const { path, have, want } = step;
  const { root } = tree;
  try {
    if (hasLinkAbove(root, path))
      return want === null ? undefined : "a link or a file stands in place of its folder";
    if (have === null && want !== null) removeEmptyFolder(root, path);
    const found = contentAt(root, path);
    if (isContent(found, want)) {
      // Killed between the file and its folder, the folder is still there, and may stand in the way of a file.
      if (want === null) removeEmptyFolders(root, path);
      return undefined;
    }
    if (found === undefined) return "a folder, or what is no file, stands in its place";
    if (!isContent(found, have)) return "it was changed in the meantime";
    if (want === null) removeFile(tree, path);
    else replaceFile(tree, path, { want, staged });
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? "what it should become is gone" : `it cannot be written (${code})`;
  }
}

/** What is at a path now; null where nothing is; undefined where it is a folder, a pipe, or not readable. */
function contentAt(root: string, path: string): JournalContent | null | undefined {
  const entry = findEntry(root, path);
  if (entry === undefined)
    return lstatSync(join(root, path), { throwIfNoEntry: false }) === undefined ? null : undefined;
  const read = readEntry(root, path, entry);
  return read.why === undefined ? contentName(read.mode, read.content) : undefined;
}

export function contentName(mode: JournalContent["mode"], content: Buffer): JournalContent {
  return { mode, pieces: piecesOf(content).map(rawIdOf) };
}

function isContent(found: JournalContent | null | undefined, wanted: JournalContent | null): boolean {
  if (found === undefined || found === null || wanted === null) return found === wanted;
  return isSameVersion({ ...found, size: 0 }, { ...wanted, size: 0 });
}

/** Folders that are empty then go too. */
function removeFile({ root, userId }: Written, path: string): void {
  refuseForeign(join(root, path), userId);
  unlinkSync(join(root, path));
  removeEmptyFolders(root, path);
}

/** Folders whose files all went elsewhere are in no snapshot. */
function removeEmptyFolder(root: string, path: string): void {
  try {
    rmdirSync(join(root, path));
  } catch {
    // Nothing is there, or it is not an empty folder: then it stays.
  }
}

function removeEmptyFolders(root: string, path: string): void {
  for (const above of foldersAbove(path).toReversed()) {
    try {
      rmdirSync(join(root, above));
    } catch {
      return;
    }
  }
}

function replaceFile(
  { root, userId, isStaged }: Written,
  path: string,
  { want, staged }: { readonly want: JournalContent; readonly staged: string },
): void {
  const absolute = join(root, path);
  const before = lstatSync(absolute, { throwIfNoEntry: false });
  if (before !== undefined) refuseForeign(absolute, userId);
  if (!isStaged) checkStaged(staged, want);
  mkdirSync(dirname(absolute), { recursive: true });
  // All permissions stay but the executable bit, which is as it was.
  if (want.mode !== "120000" && before?.isFile()) {
    const mode = before.mode & 0o777;
    chmodSync(staged, want.mode === "100755" ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
  }
  try {
    renameSync(staged, absolute);
  } catch (error) {
    if (errorCode(error) !== "EXDEV") throw error;
    renameAcross(staged, absolute, want);
  }
}

/** Into a folder on another disk: a copy beside the file, then the rename. */
function renameAcross(staged: string, absolute: string, { pieces }: JournalContent): void {
  // The name is ours: one that is there was left by a copy that was killed.
  const beside = `${absolute}.cairn-${(pieces[0] ?? "empty").slice(0, 16)}`;
  rmSync(beside, { force: true });
  if (lstatSync(staged).isSymbolicLink()) symlinkSync(readlinkSync(staged, "buffer"), beside);
  else copyFileSync(staged, beside);
  renameSync(beside, absolute);
}

/** After a power cut, what waited may be empty. */
function checkStaged(staged: string, want: JournalContent): void {
  const found = contentAt(dirname(staged), staged.slice(dirname(staged).length + 1));
  if (!isContent(found, want)) throw Object.assign(new Error("not staged"), { code: "ENOENT" });
}

/** A file of another user is not replaced by one of ours. */
function refuseForeign(absolute: string, userId: number | undefined): void {
  if (userId !== undefined && lstatSync(absolute).uid !== userId)
    throw Object.assign(new Error("foreign"), { code: "EPERM" });
}
