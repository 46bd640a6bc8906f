import type { GitTree } from "../../../work/capture/git/git-tree.ts";
import type { Project } from "../../../work/project/project.ts";

/** The files of a project, and what it takes to look at them. */
export interface FileTree extends GitTree {
  readonly project: Project;
  readonly root: string;
  /** Ours: the index, what the last look saw, the journal of a rewind. */
  readonly folder: string;
}

/** A path and the folders above it, the outermost first. */
export function levelsOf(path: string): string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

/** Whether a path is one of these, or below one; the project's root has no name. */
export const isBelow = (path: string, folders: readonly string[]) =>
  ["", ...levelsOf(path)].some((level) => folders.includes(level));
