import type { Environment } from "../environment.ts";
import { isCommitHash, readHead } from "./git-head.ts";
import { findGit, type GitLocation } from "./git-location.ts";
import { parseStatus, STATUS_ARGS } from "./git-status.ts";
import { type GitOutcome, runGit } from "./run-git.ts";

export interface WorkspaceOptions {
  /** The project's root: only what is below it counts. */
  readonly root: string;
  readonly env: Environment;
  readonly timeoutMs?: number;
  /** How many of the touched files are named. The rest is counted. */
  readonly maxFiles?: number;
}

/** Where the workspace stood at an earlier checkpoint. Comes out of a checkpoint, so it is not trusted. */
export interface EarlierWorkspace {
  readonly head?: string | null;
}

export interface WorkspaceCapture {
  /** Missing outside of a git repository. `dirty` is null when git could not say; untracked files count. */
  readonly workspace?: { head: string | null; branch: string | null; dirty: boolean | null };
  /** Uncommitted files, then those committed since the earlier checkpoint: below the root, with `/`. */
  readonly files_touched: string[];
  /** How many more there are. */
  readonly files_omitted: number;
  /** Why something is unknown. */
  readonly reason?: string;
}

export interface StartedWorkspace {
  /** Waits for git, and compares with the checkpoint before, once it is known. Never rejects. */
  finish(earlier?: EarlierWorkspace): Promise<WorkspaceCapture>;
}

/**
 * Starts looking at the workspace, so that git works on another core while the caller opens its store.
 * One process; a second only if HEAD has moved since the earlier checkpoint. Never takes the index lock.
 *
 * @example
 * const started = startWorkspace({ root, env });
 * const head = await openStoreAndReadHead();
 * const { workspace, files_touched } = await started.finish(head.state.workspace);
 */
export function startWorkspace(options: WorkspaceOptions): StartedWorkspace {
  const git = findGit(options.root);
  if (git === undefined) return { finish: async () => ({ files_touched: [], files_omitted: 0 }) };
  const status = runIn(git, options, STATUS_ARGS);
  return { finish: async (earlier) => finish(git, options, await status, earlier) };
}

/** The same in one call. */
export async function collectWorkspace(
  options: WorkspaceOptions & { readonly parent?: EarlierWorkspace | undefined },
): Promise<WorkspaceCapture> {
  return startWorkspace(options).finish(options.parent);
}

async function finish(
  git: GitLocation,
  options: WorkspaceOptions,
  outcome: GitOutcome,
  earlier: EarlierWorkspace | undefined,
): Promise<WorkspaceCapture> {
  const status = outcome.records === undefined ? undefined : parseStatus(outcome.records);
  const { head, branch } = status ?? readHead(git);
  const uncommitted = below(git.prefix, status?.paths ?? []);
  // A git that failed or hung once is not asked a second time.
  const committed = status ? await committedSince(git, options, earlier?.head, head) : { records: [] };
  const files = new Set([...uncommitted, ...below(git.prefix, committed.records ?? [])]);
  const named = [...files].slice(0, options.maxFiles ?? 200);
  const reason = outcome.reason ?? committed.reason;
  return {
    workspace: { head, branch, dirty: status ? uncommitted.length > 0 : null },
    files_touched: named,
    files_omitted: files.size - named.length,
    ...(reason === undefined ? {} : { reason }),
  };
}

async function committedSince(
  git: GitLocation,
  options: WorkspaceOptions,
  earlierHead: unknown,
  head: string | null,
): Promise<GitOutcome> {
  // Checked, because whoever wrote the checkpoint could have put an option of git's there.
  if (!isCommitHash(earlierHead) || head === null || earlierHead === head) return { records: [] };
  return runIn(git, options, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", earlierHead, head]);
}

async function runIn(
  git: GitLocation,
  { env, timeoutMs = 5000 }: WorkspaceOptions,
  args: readonly string[],
): Promise<GitOutcome> {
  const paths = git.prefix === "" ? [] : ["--", git.prefix];
  return runGit({ top: git.top, args: [...args, ...paths], env, timeoutMs });
}

/** Paths relative to the root, without our own folder: git may look just before it is ignored. */
function below(prefix: string, paths: readonly string[]): string[] {
  return paths.map((path) => path.slice(prefix.length) || "..").filter((path) => !path.startsWith(".cairn/"));
}
