import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { CheckpointError } from "../../errors.ts";
import { errorCode, statIfAny } from "./read-bounded.ts";

/**
 * The project that a folder belongs to: the first folder upwards that holds a `.cairn` folder or a
 * `.git`, be it a folder or the file of a worktree; so every worktree is a project of its own.
 * Without either, the folder itself.
 */
export function findProjectRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (statIfAny(join(folder, ".cairn"))?.isDirectory() || statIfAny(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Whether two paths lead to the same folder, by whatever links. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || real(one) === real(other);
}

/** Whether a folder is no project: a store in the home folder or at the root would swallow the work of all folders below. */
export function isTooWide(folder: string, home: string | undefined): boolean {
  return folder === parse(folder).root || (home !== undefined && isSameFolder(folder, home));
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

const IGNORE_ALL = "# Made by cairn: checkpoints stay out of version control.\n*\n";

/** What `keepOutOfGit` did: it wrote the file, or found one that is not ours to change. */
export type KeptOut = "written" | "already there";

/**
 * Keeps `.cairn/` out of version control by a `.gitignore` inside of it, and makes the folder if needed.
 * Unlike a line in `.git/info/exclude` this also holds in worktrees, before `git init`, for a project
 * inside a repository, and for the search tools that honour `.gitignore`; and it changes nothing that is
 * not ours. May be called again. A file that is already there is left alone: somebody may want to commit.
 */
export function keepOutOfGit(root: string): KeptOut {
  const folder = join(root, ".cairn");
  makeFolder(folder);
  // A repository could bring a link here, and have every file behind it ignored.
  if (lstatSync(folder).isSymbolicLink()) throw isLink(folder);
  return appendIfEmpty(join(folder, ".gitignore"));
}

/** Not recursive: the folder above is there, and where none can be made, as in `/proc`, that way never comes to an end. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Appends only to an empty file, so that a crash between creating and writing heals the next time,
 * and two processes at once at worst write the same lines twice.
 */
function appendIfEmpty(path: string): KeptOut {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  let file: number;
  try {
    file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    throw errorCode(error) === "ELOOP" ? isLink(path) : error;
  }
  try {
    if (fstatSync(file).size > 0) return "already there";
    writeSync(file, IGNORE_ALL);
    return "written";
  } finally {
    closeSync(file);
  }
}

function isLink(path: string): CheckpointError {
  return new CheckpointError(
    "refused",
    `"${path}" is a symbolic link, which could lead out of the project.`,
    {
      hint: "Put a real folder or file in its place, or work in another folder.",
      details: { path },
    },
  );
}
