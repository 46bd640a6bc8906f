import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { blankForeignPrograms } from "../../work/capture/git/foreign-programs.ts";
import { findGit, isCommitHash, type GitLocation } from "../../work/capture/git/git-head.ts";
import { type GitOutput, runGit } from "../../work/capture/git/run-git.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { WorkflowContext } from "../workflow/context.ts";
import { makeFolder } from "../workflow/engine/attempt-folder.ts";

/** Where a step runs, and how to clear it away. */
export interface Worktree {
  /** What the project's root is in this checkout. */
  readonly root: string;
  remove(): Promise<void>;
}

type GitContext = Pick<WorkflowContext, "root" | "folder" | "env">;

const WORKTREES = "worktrees";

/** A checkout of a big repository takes a while. */
const TIMEOUT_MS = 120_000;

/**
 * A clean checkout of the run's commit. Without git there is no commit to check out: then the worker's own folder has to do.
 */
export async function openWorktree(
  context: GitContext,
  commit: string | undefined,
  name: string,
): Promise<Worktree> {
  const git = findGit(context.root);
  if (commit === undefined || git === undefined) return { root: context.root, remove: async () => undefined };
  const folder = join(context.folder, WORKTREES);
  makeFolder(folder);
  const top = join(folder, name);
  await checkOut(context, git, { top, commit });
  return {
    root: join(top, git.prefix),
    async remove() {
      rmSync(top, { recursive: true, force: true });
      await pruneWorktrees(context);
    },
  };
}

/** Removes a folder with all checkouts in it. One that git was killed while making it would stay in git's list, locked. */
export async function removeCheckouts(context: GitContext, folder: string): Promise<void> {
  const git = findGit(context.root);
  const worktrees = join(folder, WORKTREES);
  if (git !== undefined && existsSync(worktrees))
    for (const name of readdirSync(worktrees))
      await gitIn(context, git, ["worktree", "unlock", join(worktrees, name)]);
  rmSync(folder, { recursive: true, force: true });
  await pruneWorktrees(context);
}

/** Makes git forget the checkouts whose folders are gone. */
async function pruneWorktrees(context: GitContext): Promise<void> {
  const git = findGit(context.root);
  if (git !== undefined) await gitIn(context, git, ["worktree", "prune"]);
}

async function checkOut(
  context: GitContext,
  git: GitLocation,
  { top, commit }: { readonly top: string; readonly commit: string },
): Promise<void> {
  // Without files at first: the config of the new checkout can include more than that of the repository around it.
  const added = await gitIn(context, git, [
    "worktree",
    "add",
    "--force",
    "--detach",
    "--no-checkout",
    top,
    commit,
  ]);
  if (added.reason !== undefined) throw notCheckedOut(commit, added);
  const command = { top, env: context.env, timeoutMs: TIMEOUT_MS };
  const { settings, reason } = await blankForeignPrograms(command);
  if (reason !== undefined) throw notCheckedOut(commit, { reason });
  const filled = await runGit({ ...command, args: ["reset", "--hard", "--quiet"], settings });
  if (filled.reason !== undefined) throw notCheckedOut(commit, filled);
}

function notCheckedOut(commit: string, { reason, stderr = "" }: GitOutput): Error {
  return new Error(`Commit ${commit} is not checked out: ${reason}. ${stderr}`.trim());
}

/** The full hash of the commit that a person names. Rejects with `not-found` where there is none. */
export async function findCommit(context: GitContext, name: string): Promise<string> {
  const git = findGit(context.root);
  const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const hash = git && (await gitIn(context, git, args)).stdout?.trim();
  if (isCommitHash(hash)) return hash;
  throw new CheckpointError("not-found", `There is no commit "${name}" here.`, {
    hint: "To see what there is: git log --oneline",
    details: { commit: name },
  });
}

/** Whether a run's commit is part of the history that this worker has checked out: nobody can smuggle in another one. */
export async function knowsCommit(context: GitContext, commit: string | undefined): Promise<boolean> {
  const git = findGit(context.root);
  if (git === undefined) return true;
  // Without a commit its files would go into this worker's own checkout.
  if (commit === undefined || !isCommitHash(commit)) return false;
  const { reason } = await gitIn(context, git, ["merge-base", "--is-ancestor", commit, "HEAD"]);
  return reason === undefined;
}

async function gitIn({ env }: GitContext, { top }: GitLocation, args: readonly string[]): Promise<GitOutput> {
  return runGit({ top, args, env, timeoutMs: TIMEOUT_MS });
}
