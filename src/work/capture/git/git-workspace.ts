import type { Workspace } from "../../state/work-state.ts";
import type { Environment } from "../../machine/environment.ts";
import { blankForeignPrograms } from "./foreign-programs.ts";
import { findGit, isCommitHash, readGitHeadOf, type GitLocation } from "./git-head.ts";
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

async function finish(
  git: GitLocation,
  options: WorkspaceOptions,
  output: GitOutput,
  earlierHead: unknown,
): Promise<WorkspaceCapture> {
  const status = output.records === undefined ? undefined : parseStatus(output.records);
  const { head, branch } = status ?? readGitHeadOf(git);
  const uncommitted = below(git.prefix, status?.paths ?? []);
  // If git failed or hung once, it is not asked again.
  const committed = status ? await committedSince(git, options, earlierHead, head) : { records: [] };
  const files = new Set([...uncommitted, ...below(git.prefix, committed.records ?? [])]);
  const reason = output.reason ?? committed.reason;
  return {
    workspace: { head, branch, dirty: status ? uncommitted.length > 0 : null },
    files_touched: [...files],
    ...(reason === undefined ? {} : { reason }),
  };
}

async function committedSince(
  git: GitLocation,
  options: WorkspaceOptions,
  earlierHead: unknown,
  head: string | null,
): Promise<GitOutput> {
  // Checked, because a forged checkpoint could hold one of git's options here.
  if (!isCommitHash(earlierHead) || head === null || earlierHead === head) return { records: [] };
  return runIn(git, options, ["diff-tree", "-r", "-z", "--name-only", "--no-renames", earlierHead, head]);
}

async function runStatus(git: GitLocation, options: WorkspaceOptions): Promise<GitOutput> {
  const { env, timeoutMs = TIMEOUT_MS } = options;
  const { settings, reason } = await blankForeignPrograms({ top: git.top, env, timeoutMs });
  return reason === undefined ? runIn(git, options, STATUS_ARGS, settings) : { reason };
}

async function runIn(
  git: GitLocation,
  { env, timeoutMs = TIMEOUT_MS }: WorkspaceOptions,
  args: readonly string[],
  settings: ReadonlyMap<string, string> = new Map(),
): Promise<GitOutput> {
  const paths = git.prefix === "" ? [] : ["--", git.prefix];
  return runGit({ top: git.top, args: [...args, ...paths], env, timeoutMs, settings });
}

/** Paths relative to the root. Our own folder is left out: it may not be ignored yet. */
function below(prefix: string, paths: readonly string[]): string[] {
  return paths.map((path) => path.slice(prefix.length) || "..").filter((path) => !path.startsWith(".cairn/"));
}

/** What `git status --porcelain=v2 --branch -z` says. */
interface GitStatus {
  readonly head: string | null;
  readonly branch: string | null;
  /** Changed, staged, unmerged and untracked paths, relative to the top of the working tree. */
  readonly paths: readonly string[];
}

/**
 * No rename detection: it reads file contents, in a partial clone even over the network. Submodules are skipped,
 * because each would start one more git.
 */
export const STATUS_ARGS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--no-ahead-behind",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
];

/** How many fields come before the path, by kind of record. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { "1": 8, u: 10, "?": 1 };

function parseStatus(records: readonly string[]): GitStatus {
  let head: string | null = null;
  let branch: string | null = null;
  const paths: string[] = [];
  for (const record of records) {
    if (record.startsWith("# branch.oid ")) head = unless("(initial)", record.slice(13));
    else if (record.startsWith("# branch.head ")) branch = unless("(detached)", record.slice(14));
    else {
      const fields = FIELDS_BEFORE_PATH[record.slice(0, 1)];
      if (fields !== undefined) paths.push(afterFields(record, fields));
    }
  }
  return { head, branch, paths };
}

function unless(placeholder: string, value: string): string | null {
  return value === placeholder ? null : value;
}

/** The rest of a record after `count` fields. Not split, because a path may contain spaces. */
function afterFields(record: string, count: number): string {
  let start = 0;
  for (let field = 0; field < count; field++) start = record.indexOf(" ", start) + 1;
  return record.slice(start);
}
