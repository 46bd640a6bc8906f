import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { findGit } from "../../capture/git/git-head.ts";
import { isOnPath } from "../on-path.ts";
import type { Project } from "../project.ts";

/** What the system says about the folder that holds the store, or would hold it. */
export interface FolderFacts {
  readonly exists: boolean;
  readonly isMine: boolean;
  /** Of the project's root where there is no folder yet. */
  readonly isWritable: boolean;
  readonly isPrivate: boolean;
}

export function folderFacts({ root, folder, machine }: Project): FolderFacts {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined)
    return { exists: false, isMine: true, isWritable: isWritable(root), isPrivate: true };
  return {
    exists: true,
    isMine: machine.userId === undefined || found.uid === machine.userId,
    isWritable: isWritable(folder),
    isPrivate: (found.mode & 0o077) === 0,
  };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function freeDiskBytes({ root }: Project): number {
  const { bavail, bsize } = statfsSync(root);
  return bavail * bsize;
}

/** Whether git can be asked, and what it could do to the store. */
export interface GitFacts {
  readonly hasCommand: boolean;
  readonly mayAddStore: boolean;
  readonly isWorktree: boolean;
}

/** Undefined outside git. */
export function gitFacts({ env, root, folder }: Project): GitFacts | undefined {
  const location = findGit(root);
  if (location === undefined) return undefined;
  return {
    hasCommand: isOnPath({ env }, "git"),
    mayAddStore: existsSync(folder) && !existsSync(join(folder, ".gitignore")),
    isWorktree: location.gitDir !== location.commonDir,
  };
}
