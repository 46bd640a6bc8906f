import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { dirname, isAbsolute, join, parse, resolve } from "node:path";
import { IGNORE_ALL, symbolicLink } from "../../core/store/private-files.ts";
import type { Environment } from "./environment.ts";
import { errorCode, statIfAny } from "./read-bounded.ts";

/**
 * The project that a folder belongs to: the first folder upwards that holds a `.cairn` folder or a
 * `.git`, a folder or a worktree's file; so every worktree is a project of its own.
 * If there is neither, the folder itself.
 */
export function findProjectRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    if (statIfAny(join(folder, ".cairn"))?.isDirectory() || statIfAny(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** Whether two paths lead to the same folder, links followed. */
export function isSameFolder(one: string, other: string): boolean {
  return one === other || realPath(one) === realPath(other);
}

/** Whether a folder cannot be a project: a store in $HOME or at the root would swallow the work of every folder below. */
export function isTooWide(folder: string, home: string | undefined): boolean {
  return folder === parse(folder).root || (home !== undefined && isSameFolder(folder, home));
}

/** A path with its links followed; as it is if there is nothing. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** The names in a folder, sorted; none if it does not exist or cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/**
 * Keeps `.cairn/` out of version control with a `.gitignore` inside it, and creates the folder if needed.
 * Unlike a line in `.git/info/exclude` this also works in worktrees, before `git init`, for a project inside a
 * repository, and for search tools that honour `.gitignore`; and it changes no file of the user's. May be called
 * again. An existing file is left alone: the user may want to commit checkpoints.
 */
export function keepProjectOutOfGit(root: string): void {
  const folder = join(root, ".cairn");
  makeFolder(folder);
  // A repository could bring a link here, and have every file behind it ignored.
  if (lstatSync(folder).isSymbolicLink()) throw symbolicLink(folder);
  appendIfEmpty(join(folder, ".gitignore"));
}

/** Not recursive: the parent exists, and in `/proc`, where no folder can be created, Node would never return. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}

/**
 * Appends only to an empty file: a crash between creating and writing heals the next time, and two processes at once
 * at worst write the same lines twice.
 */
function appendIfEmpty(path: string): void {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
  let file: number;
  try {
    file = openSync(path, O_WRONLY | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0), 0o600);
  } catch (error) {
    throw errorCode(error) === "ELOOP" ? symbolicLink(path) : error;
  }
  try {
    const { size, nlink } = fstatSync(file);
    // A file with a second name is not ours to fill.
    if (size === 0 && nlink === 1) writeSync(file, IGNORE_ALL);
  } catch (error) {
    // A failed write does not say which file it was.
    throw Object.assign(error as Error, { path });
  } finally {
    closeSync(file);
  }
}

/** The user's home folder; undefined if there is none, as in some containers. */
export function homeFolder(env: Environment): string | undefined {
  return [env["HOME"], env["USERPROFILE"]].find(
    // Nothing is made in a home that does not exist: service users have one in name only.
    (path) => isFolder(path) && statIfAny(path) !== undefined,
  );
}

/**
 * The folder that a variable names, else one in the user's home. A relative path is ignored: it would depend on the
 * working directory, and a repository could provide it.
 */
export function personalFolder(
  env: Environment,
  variable: string,
  ...inHome: readonly string[]
): string | undefined {
  const named = env[variable];
  if (isFolder(named)) return named;
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ...inHome);
}

/** A place in the user's own state, where no repository can write: `cairn` in $XDG_STATE_HOME, or in ~/.local/state. */
export function statePath(env: Environment, ...names: readonly string[]): string | undefined {
  const state = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  return state && join(state, "cairn", ...names);
}

function isFolder(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
