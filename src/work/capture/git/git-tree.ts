import { copyFileSync, existsSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { blankForeignPrograms } from "./foreign-programs.ts";
import { type GitLocation, readGitHeadOf } from "./git-head.ts";
import { type GitStatus, readGitStatus } from "./git-status.ts";
import { type GitCommand, runGit } from "./run-git.ts";

/** A tree of files that git looks at with an index of ours, so that nothing in `.git` is ever written. */
export interface GitTree {
  /** The repository that the files are in, or an empty one of ours. */
  readonly git: GitLocation;
  readonly command: Omit<GitCommand, "args"> & { readonly privateIndex: string };
}

/** The NUL-terminated records that a git command prints; throws why there are none. */
export async function git(
  { command }: GitTree,
  args: readonly string[],
  more: Partial<GitCommand> = {},
): Promise<string[]> {
  const { records, reason } = await runGit({ ...command, args, ...more });
  if (reason !== undefined) throw new Error(reason);
  return records;
}

/** What differs from HEAD, as the disk says. `seededFor` is the commit for which our index was begun. Throws why git cannot say. */
export async function treeStatus(tree: GitTree, seededFor: string | null | undefined): Promise<GitStatus> {
  const { privateIndex: index } = tree.command;
  const { settings, reason } = await blankForeignPrograms(tree.command);
  if (reason !== undefined) throw new Error(reason);
  if (readGitHeadOf(tree.git).head !== seededFor || !existsSync(index)) await seedIndex(tree, settings);
  // A git that was killed leaves its lock behind; only one look at a time is at work.
  rmSync(`${index}.lock`, { force: true });
  const status = await readGitStatus(tree.git, { ...tree.command, settings });
  if ("reason" in status) throw new Error(status.reason);
  return status;
}

/**
 * Begins our index as a copy of the repository's, which knows the times of unchanged files. Files that it says are to be
 * taken for unchanged are looked at all the same.
 */
async function seedIndex(tree: GitTree, settings: ReadonlyMap<string, string>): Promise<void> {
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
