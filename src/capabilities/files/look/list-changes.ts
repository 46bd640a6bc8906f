import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { blankForeignPrograms } from "../../../work/capture/git/foreign-programs.ts";
import { readGitHead, readGitHeadOf } from "../../../work/capture/git/git-head.ts";
import { type GitChange, readGitStatus } from "../../../work/capture/git/git-status.ts";
import type { SnapshotNotes } from "../snapshot/snapshots.ts";
import { git, type FileTree } from "../tree/tree.ts";

export interface ListedChanges extends Pick<SnapshotNotes, "head" | "branch" | "repositories"> {
  readonly changed: readonly GitChange[];
  /** Names that are no text cannot be stored. */
  readonly unnamed: number;
}

/** More are not looked at: then the look has failed. */
const MOST_CHANGED = 20_000;

/** What differs from HEAD on the disk, no matter what changed it. Nothing in `.git` is written. */
export async function listChanges(
  tree: FileTree,
  seededFor: string | null | undefined,
): Promise<ListedChanges> {
  const { privateIndex: index } = tree.command;
  const { settings, reason } = await blankForeignPrograms(tree.command);
  if (reason !== undefined) throw new Error(reason);
  if (readGitHeadOf(tree.git).head !== seededFor || !existsSync(index)) await seedIndex(tree, settings);
  // A git that was killed leaves its lock behind; only one look at a time is at work.
  rmSync(`${index}.lock`, { force: true });
  const status = await readGitStatus(tree.git, { ...tree.command, settings });
  if ("reason" in status) throw new Error(status.reason);
  const { head, branch } = status;
  // Another project below may have a store too.
  const changes = status.changes.filter(({ path }) => !path.split("/").includes(".cairn"));
  const repositories = changes
    .filter(({ isRepository }) => isRepository)
    .map((each) => {
      const path = each.path.replace(/\/$/, "");
      return { path, head: readGitHead(join(tree.root, path))?.head ?? null };
    });
  const files = changes.filter(({ isRepository }) => !isRepository);
  const named = files.filter(({ path }) => !path.includes("\uFFFD"));
  // A file that was taken out of the index and is still there is listed twice.
  const changed = new Map<string, GitChange>();
  for (const each of named) if (!changed.get(each.path)?.committed) changed.set(each.path, each);
  if (changed.size > MOST_CHANGED) throw new Error(`more than ${MOST_CHANGED} files differ from the commit`);
  return { head, branch, repositories, changed: [...changed.values()], unnamed: files.length - named.length };
}

/**
 * Begins our index as a copy of the repository's, which knows the times of unchanged files. Files that it says are to be
 * taken for unchanged are looked at all the same.
 */
async function seedIndex(tree: FileTree, settings: ReadonlyMap<string, string>): Promise<void> {
  const { privateIndex: index } = tree.command;
  const theirs = join(tree.git.gitDir, "index");
  const stats = statSync(theirs, { throwIfNoEntry: false });
  for (const path of [index, `${index}.lock`]) rmSync(path, { force: true });
  if (stats === undefined) return;
  copyFileSync(theirs, index);
  // By its time git tells which files may have been written again since: a copy that looks younger would hide their changes.
  utimesSync(index, stats.atime, (stats.mtimeMs - 0.01) / 1000);
  const hidden = (await git(tree, ["ls-files", "-v", "-z", "--full-name"], { settings }))
    .filter((record) => /^[a-z] /.test(record))
    .map((record) => `${record.slice(2)}\0`);
  if (hidden.length === 0) return;
  const args = ["update-index", "--no-assume-unchanged", "-z", "--stdin"];
  await git(tree, args, { settings, input: hidden.join("") });
}
