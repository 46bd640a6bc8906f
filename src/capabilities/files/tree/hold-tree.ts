import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { assertOwn, makePrivateFolder, refuseLinks } from "../../../core/store/private-files.ts";
import { type FileLock, lockFile } from "../../../core/store/sqlite/file-lock.ts";
import { findGit } from "../../../work/capture/git/git-head.ts";
import { ownRepository } from "../../../work/capture/git/own-repository.ts";
import { homeFolder, isTooWide, keepProjectOutOfGit } from "../../../work/machine/folders.ts";
import type { Project } from "../../../work/project/project.ts";
import { finishRewind } from "../rewind/finish-rewind.ts";
import type { FileTree } from "./tree.ts";

/** How long another look is waited for, and how long git may take for this one. */
export interface TreeLimits {
  readonly patienceMs?: number;
  readonly lookMs?: number;
}

/** What is written there by its name: a link that a repository brought along would lead elsewhere. */
const OWN_FILES = ["lock", "index", "seen.json", "rewind.json", "repository", "own-index", "ignored"];
const MOST_LISTED_BYTES = 64 * 2 ** 20;

/** Holds the files of a project: one look or rewind at a time, whatever processes there are. */
export async function withTree<Result>(
  project: Project,
  use: (tree: FileTree) => Promise<Result>,
  { patienceMs = 20_000, lookMs = 60_000 }: TreeLimits = {},
): Promise<Result> {
  const { root, env } = project;
  refuseWide(project);
  const folder = join(project.folder, "files");
  refuseLinks(root, folder);
  for (const each of [project.folder, folder]) assertOwn(each);
  keepProjectOutOfGit(root);
  makePrivateFolder(folder);
  for (const name of OWN_FILES) refuseLinks(folder, join(folder, name));
  const lock = lockTree(folder, patienceMs);
  try {
    const inside = findGit(root);
    const git = inside ?? ownRepository(root, folder);
    const command = {
      top: git.top,
      env,
      timeoutMs: lookMs,
      privateIndex: join(folder, inside ? "index" : "own-index"),
      ownRepository: inside ? undefined : git.gitDir,
      maxOutputBytes: MOST_LISTED_BYTES,
    };
    const tree = { project, root, folder, git, command };
    await finishRewind(tree);
    return await use(tree);
  } finally {
    lock.release();
  }
}

function lockTree(folder: string, patienceMs: number): FileLock {
  const path = join(folder, "lock");
  closeSync(openSync(path, "a", 0o600));
  const lock = lockFile(path, patienceMs);
  if (lock !== undefined) return lock;
  throw new CheckpointError("conflict", "Another process is looking at the project's files.", {
    hint: "Try again in a moment.",
    details: { path },
  });
}

/** A snapshot of $HOME would be one of all that a person has. */
function refuseWide({ root, env }: Project): void {
  if (!isTooWide(root, homeFolder(env))) return;
  throw new CheckpointError(
    "refused",
    `The files of "${root}" are not covered: it is not a project's folder.`,
    { hint: "Work in a folder of the project's own.", details: { path: root } },
  );
}
