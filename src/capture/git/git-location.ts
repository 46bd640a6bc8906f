import { dirname, join, relative, resolve, sep } from "node:path";
import { readBounded, statIfAny } from "../files/read-bounded.ts";

/** Where the repository around a folder keeps its parts. */
export interface GitLocation {
  /** The top folder of the working tree. */
  readonly top: string;
  /** Holds this working tree's own HEAD. */
  readonly gitDir: string;
  /** Holds the refs that all worktrees of the repository share. */
  readonly commonDir: string;
  /** From `top` to the folder asked about: empty, or ending in a slash. */
  readonly prefix: string;
}

/** Pointer files (`.git`, `commondir`) hold one path. */
const POINTER_BYTES = 16 * 1024;

/** Finds the repository that `folder` is in, as git would; undefined outside any. Starts no process. */
export function findGit(folder: string): GitLocation | undefined {
  const start = resolve(folder);
  for (let top = start; ; top = dirname(top)) {
    const gitDir = gitDirOf(top);
    if (gitDir !== undefined) {
      return { top, gitDir, commonDir: commonDirOf(gitDir), prefix: prefixFrom(top, start) };
    }
    if (dirname(top) === top) return undefined;
  }
}

function gitDirOf(top: string): string | undefined {
  const path = join(top, ".git");
  const stats = statIfAny(path);
  if (stats?.isDirectory()) return path;
  // In a worktree or a submodule, `.git` is a file that points to the folder.
  const target = stats?.isFile() ? readLine(path) : undefined;
  return target?.startsWith("gitdir: ") ? resolve(top, target.slice("gitdir: ".length)) : undefined;
}

function commonDirOf(gitDir: string): string {
  const target = readLine(join(gitDir, "commondir"));
  return target ? resolve(gitDir, target) : gitDir;
}

function readLine(path: string): string | undefined {
  return readBounded(path, POINTER_BYTES)
    .bytes?.toString("utf8")
    .replace(/\r?\n$/, "");
}

function prefixFrom(top: string, folder: string): string {
  const path = relative(top, folder);
  return path === "" ? "" : `${path.replaceAll(sep, "/")}/`;
}
