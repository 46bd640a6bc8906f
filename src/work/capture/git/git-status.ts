import type { GitLocation } from "./git-head.ts";
import { type GitCommand, runGit } from "./run-git.ts";

/** A file that is not as HEAD has it: changed, staged, unmerged or untracked. */
export interface GitChange {
  /** Relative to the folder that was asked about. A repository that is not registered ends in a slash. */
  readonly path: string;
  /** What HEAD has there; null also for a repository inside. */
  readonly committed: { readonly mode: string; readonly blob: string } | null;
  /** A submodule, or a repository that is not registered: git looks no further into it. */
  readonly isRepository: boolean;
}

export interface GitStatus {
  readonly head: string | null;
  readonly branch: string | null;
  readonly changes: readonly GitChange[];
}

/**
 * No rename detection: it reads file contents, in a partial clone even over the network. Submodules are skipped,
 * because each would start one more git.
 */
const ARGS: readonly string[] = [
  "status",
  "--porcelain=v2",
  "-z",
  "--branch",
  "--no-ahead-behind",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
];

/** What differs from HEAD below a folder; or why git cannot say. `settings` are those of `blankForeignPrograms`. */
export async function readGitStatus(
  { top, prefix }: GitLocation,
  command: Omit<GitCommand, "top" | "args">,
): Promise<GitStatus | { readonly reason: string }> {
  const paths = prefix === "" ? [] : ["--", prefix];
  const { records, reason } = await runGit({ ...command, top, args: [...ARGS, ...paths] });
  return records === undefined ? { reason } : parseStatus(records, prefix);
}

function parseStatus(records: readonly string[], prefix: string): GitStatus {
  let head: string | null = null;
  let branch: string | null = null;
  const changes: GitChange[] = [];
  for (const record of records) {
    if (record.startsWith("# branch.oid ")) head = unless("(initial)", record.slice(13));
    else if (record.startsWith("# branch.head ")) branch = unless("(detached)", record.slice(14));
    else changes.push(...parseChange(record, prefix));
  }
  return { head, branch, changes };
}

function unless(placeholder: string, value: string): string | null {
  return value === placeholder ? null : value;
}

/** Fields before the path, by kind of record; and which of them are the mode and the blob of HEAD. */
const LAYOUT: Readonly<Record<string, readonly [before: number, mode: number, blob: number]>> = {
  "1": [8, 3, 6],
  u: [10, 4, 8],
  "?": [1, 1, 1],
};

const SUBMODULE = "160000";

function parseChange(record: string, prefix: string): GitChange[] {
  const layout = LAYOUT[record.slice(0, 1)];
  if (layout === undefined) return [];
  const [before, modeAt, blobAt] = layout;
  const fields = record.split(" ", before);
  // Not split further, because a path may contain spaces.
  const path = record.slice(fields.join(" ").length + 1 + prefix.length);
  const { [modeAt]: mode, [blobAt]: blob } = fields;
  const isRepository = path.endsWith("/") || fields.slice(3).includes(SUBMODULE);
  const isCommitted = mode !== undefined && blob !== undefined && !isRepository && !/^0*$/.test(blob);
  return [{ path, committed: isCommitted ? { mode, blob } : null, isRepository }];
}
