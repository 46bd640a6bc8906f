import type { Redactor } from "../../../core/redaction/redactor.ts";
import type { GitLocation } from "../../../work/capture/git/git-head.ts";
import { type GitCommand, runGit } from "../../../work/capture/git/run-git.ts";
import type { Project } from "../../../work/project/project.ts";

/** The files of a project, and what it takes to look at them. */
export interface FileTree {
  readonly project: Project;
  readonly root: string;
  /** Ours: the index, what the last look saw, the journal of a rewind. */
  readonly folder: string;
  /** The repository that the project is in, or an empty one of ours. */
  readonly git: GitLocation;
  /** What git is run with: always with our index, so that nothing in `.git` is written. */
  readonly command: Omit<GitCommand, "args"> & { readonly privateIndex: string };
  readonly redactor: () => Promise<Redactor>;
}

/** The NUL-terminated records that a git command prints; throws why there are none. */
export async function git(
  { command }: FileTree,
  args: readonly string[],
  more: Partial<GitCommand> = {},
): Promise<string[]> {
  const { records, reason } = await runGit({ ...command, args, ...more });
  if (reason !== undefined) throw new Error(reason);
  return records;
}

/** A path and the folders above it, the outermost first. */
export function levelsOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Whether a path is one of these, or below one; the project's root has no name. */
export const isBelow = (path: string, folders: readonly string[]) =>
  ["", ...levelsOf(path)].some((level) => folders.includes(level));
