import type { Project } from "./project.ts";

/** What keeps the files of a project. One capability provides it; without it, `--files` is refused in words. */
export interface Snapshots {
  /** Stores the files as they are now, durably, for the newest checkpoint of a trail. */
  take(project: Project, occasion: FilesOccasion): Promise<TakenFiles>;
}

interface FilesOccasion {
  readonly why: "manual" | "before-command";
  /** The trail of the work that it belongs to. */
  readonly trail?: string | undefined;
  /** What is about to change the files. */
  readonly notes?: string | undefined;
}

interface TakenFiles {
  /** How many files differ from the last commit, and how many of them are named without their content. */
  readonly files: number;
  readonly leftOut: number;
  /** Why the files could not be looked at. */
  readonly failed: string | null;
}
