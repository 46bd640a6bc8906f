import { dirname, join, relative, resolve } from "node:path";
import { withSlashes } from "../../machine/recorded-path.ts";
import { MISSING, readBounded, statIfAny } from "../../machine/read-bounded.ts";

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
  return path === "" ? "" : `${withSlashes(path)}/`;
}

/** What HEAD points at. On an unborn branch `head` is null; when HEAD is detached, `branch` is. */
export interface GitHead {
  readonly head: string | null;
  readonly branch: string | null;
  /** Why head or branch is unknown. */
  readonly reason?: string;
}

const REF_BYTES = 4096;
const PACKED_REFS_BYTES = 64 * 2 ** 20;
/** Git itself gives up on symbolic refs that are nested deeper. */
const MAX_SYMBOLIC_DEPTH = 5;

/** A full commit hash: SHA-1 or SHA-256. */
export function isCommitHash(text: unknown): text is string {
  return typeof text === "string" && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

/**
 * Reads HEAD without starting git, in well under a millisecond: for hooks. Undefined outside a repository. Never throws.
 */
export function readGitHead(root: string): GitHead | undefined {
  const git = findGit(root);
  return git && readGitHeadOf(git);
}

export function readGitHeadOf(git: GitLocation): GitHead {
  const { bytes, problem } = readBounded(join(git.gitDir, "HEAD"), REF_BYTES);
  if (bytes === undefined) return unknown(`HEAD cannot be read: ${problem}`);
  const content = bytes.toString("utf8").trimEnd();
  if (isCommitHash(content)) return { head: content, branch: null };
  const ref = symbolicTarget(content);
  if (ref === undefined) return unknown("HEAD is neither a branch nor a commit");
  // In the reftable format, HEAD is a placeholder for old readers and the refs are in a binary table.
  if (ref === "refs/heads/.invalid") return unknown("the refs are in the reftable format");
  return { ...resolveRef(git, ref, 0), branch: ref.replace(/^refs\/heads\//, "") };
}

function resolveRef(git: GitLocation, ref: string, depth: number): Omit<GitHead, "branch"> {
  const loose = readBounded(join(git.commonDir, ref), REF_BYTES).bytes?.toString("utf8").trimEnd();
  if (isCommitHash(loose)) return { head: loose };
  const next = loose === undefined ? undefined : symbolicTarget(loose);
  if (next !== undefined && depth < MAX_SYMBOLIC_DEPTH) return resolveRef(git, next, depth + 1);
  return resolvePacked(git, ref);
}

function resolvePacked(git: GitLocation, ref: string): Omit<GitHead, "branch"> {
  const { bytes, problem } = readBounded(join(git.commonDir, "packed-refs"), PACKED_REFS_BYTES);
  if (bytes === undefined) {
    return problem === MISSING ? { head: null } : { head: null, reason: `packed-refs: ${problem}` };
  }
  // Each line is "<hash> <ref>". Searching the bytes natively keeps 100,000 refs cheap.
  const end = bytes.indexOf(` ${ref}\n`);
  if (end < 0) return { head: null };
  const hash = bytes.toString("latin1", bytes.lastIndexOf("\n", end) + 1, end);
  return isCommitHash(hash) ? { head: hash } : { head: null, reason: "packed-refs is damaged" };
}

/** The ref that `ref: refs/…` names, unless it could lead out of the repository's folder. */
function symbolicTarget(content: string): string | undefined {
  const ref = /^ref:\s*(?<ref>refs\/[^\s~^:?*[\\\p{Cc}]+)$/u.exec(content)?.groups?.["ref"];
  return ref === undefined || ref.includes("..") ? undefined : ref;
}

function unknown(reason: string): GitHead {
  return { head: null, branch: null, reason };
}
