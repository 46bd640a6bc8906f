import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { findGit, isCommitHash } from "../../capture/git/git-head.ts";
import type { WorkflowContext } from "../context.ts";
import { makeFolder } from "../engine/attempt-folder.ts";

/** Where a step runs, and how to clear it away. */
export interface Worktree {
  readonly root: string;
  remove(): Promise<void>;
}

type GitContext = Pick<WorkflowContext, "root" | "folder" | "env">;

/**
 * A clean checkout of the run's commit. Without git there is no commit to check out: then the worker's own folder has to do.
 */
export async function openWorktree(
  context: GitContext,
  commit: string | undefined,
  name: string,
): Promise<Worktree> {
  if (commit === undefined || findGit(context.root) === undefined)
    return { root: context.root, remove: async () => undefined };
  const folder = join(context.folder, "worktrees");
  makeFolder(folder);
  const root = join(folder, name);
  await git(context, ["worktree", "add", "--force", "--detach", "--quiet", root, commit]);
  return {
    root,
    async remove() {
      rmSync(root, { recursive: true, force: true });
      await git(context, ["worktree", "prune"]).catch(() => undefined);
    },
  };
}

/** Whether a run's commit is part of the history that this worker has checked out: nobody can smuggle in another one. */
export async function knowsCommit(context: GitContext, commit: string | undefined): Promise<boolean> {
  if (findGit(context.root) === undefined) return true;
  // Without a commit its files would go into this worker's own checkout.
  if (commit === undefined || !isCommitHash(commit)) return false;
  return git(context, ["merge-base", "--is-ancestor", commit, "HEAD"]).then(
    () => true,
    () => false,
  );
}

async function git({ root, env }: GitContext, args: readonly string[]): Promise<void> {
  await promisify(execFile)("git", ["-c", "core.hooksPath=/dev/null", ...args], {
    cwd: root,
    env,
    timeout: 120_000,
  });
}
