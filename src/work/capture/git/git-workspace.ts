import type { Workspace } from "../../state/work-state.ts";
import type { Environment } from "../../machine/environment.ts";
import { blankForeignPrograms } from "./foreign-programs.ts";
import { findGit, isCommitHash, readGitHeadOf, type GitLocation } from "./git-head.ts";
import { type GitStatus, readGitStatus } from "./git-status.ts";
import { type GitOutput, runGit } from "./run-git.ts";

export interface WorkspaceOptions {
  /** The project's root: only what is below it counts. */
  readonly root: string;
  readonly env: Environment;
  readonly timeoutMs?: number;
}

export interface WorkspaceCapture {
  /** Missing outside a git repository. `dirty` is null when git could not say; untracked files count. */
  readonly workspace?: Workspace;
  /** Uncommitted files, then those committed since the earlier checkpoint: relative to the root, with `/`. */
  readonly files_touched: string[];
  /** Why something is unknown. */
  readonly reason?: string;
}

export interface StartedWorkspace {
  /**
   * Waits for git, and compares with an earlier checkpoint's workspace. That comes out of a checkpoint, so it is not
   * trusted. Never rejects.
   */
  finish(earlier?: Partial<Pick<Workspace, "head">>): Promise<WorkspaceCapture>;
}

const TIMEOUT_MS = 5000;

/**
 * Starts looking at the workspace, so that git works on another core while the caller opens its store.
 * Two processes; a third only if HEAD has moved since the earlier checkpoint. Never takes the index lock.
 *
 * @example
 * const started = startWorkspace({ root, env });
 * const head = await openStoreAndReadHead();
 * const { workspace, files_touched } = await started.finish(head.state.workspace);
 */
export function startWorkspace(options: WorkspaceOptions): StartedWorkspace {
  const git = findGit(options.root);
  if (git === undefined) return { finish: async () => ({ files_touched: [] }) };
  const status = runStatus(git, options);
  return { finish: async (earlier) => finish(git, options, await status, earlier?.head) };
}

type Status = GitStatus | { readonly reason: string };

async function finish(
  git: GitLocation,
  options: WorkspaceOptions,
  status: Status,
  earlierHead: unknown,
): Promise<WorkspaceCapture> {
  const isKnown = "changes" in status;
  const { head, branch } = isKnown ? status : readGitHeadOf(git);
  const uncommitted = withoutOurs(isKnown ? status.changes.map(({ path }) => path || "..") : []);
  // If git failed or hung once, it is not asked again.
  const committed = isKnown ? await committedSince(git, options, earlierHead, head) : { records: [] };
  const since = (committed.records ?? []).map((path) => path.slice(git.prefix.length));
  const reason = isKnown ? committed.reason : status.reason;
  return {
    workspace: { head, branch, dirty: isKnown ? uncommitted.length > 0 : null },
    files_touched: [...new Set([...uncommitted, ...withoutOurs(since)])],
    ...(reason === undefined ? {} : { reason }),
  };
}

async function committedSince(
  { top, prefix }: GitLocation,
  { env, timeoutMs = TIMEOUT_MS }: WorkspaceOptions,
  earlierHead: unknown,
  head: string | null,
): Promise<GitOutput> {
  // Checked, because a forged checkpoint could hold one of git's options here.
  if (!isCommitHash(earlierHead) || head === null || earlierHead === head) return { records: [] };
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", earlierHead, head];
  return runGit({ top, args: prefix === "" ? args : [...args, "--", prefix], env, timeoutMs });
}

async function runStatus(git: GitLocation, options: WorkspaceOptions): Promise<Status> {
  const { env, timeoutMs = TIMEOUT_MS } = options;
  const { settings, reason } = await blankForeignPrograms({ top: git.top, env, timeoutMs });
  return reason === undefined ? readGitStatus(git, { env, timeoutMs, settings }) : { reason };
}

/** Our own folder is left out: it may not be ignored yet. */
const withoutOurs = (paths: readonly string[]) => paths.filter((path) => !path.startsWith(".cairn/"));
