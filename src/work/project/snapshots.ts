import { isCheckpointError } from "../../core/errors.ts";
import type { CheckpointInfo } from "../../core/trails/document.ts";
import { findPart } from "./capability.ts";
import type { Project } from "./project.ts";

/** What keeps the files of a project. One capability provides it; without it, `--files` is refused in words. */
export interface Snapshots {
  /** Stores the files as they are now, durably, for the newest checkpoint of a trail. */
  take(project: Project, occasion: FilesOccasion): Promise<TakenFiles>;
  /** The same before something runs that may change them, where the project's files are kept at all. */
  takeBefore(project: Project, what: string): Promise<void>;
  /** Takes a rewind of files back, if that was the last thing that happened. */
  undoRewind(project: Project): Promise<UndoneRewind | undefined>;
}

export interface UndoneRewind {
  /** The snapshot of the files as they are now, and that of the rewind. */
  readonly checkpoint: CheckpointInfo;
  readonly undone: string;
  /** How many files came back, and which did not, because they changed since. */
  readonly restored: number;
  readonly left: readonly { readonly path: string; readonly why: string }[];
}

/** Keeps the files before something runs that may change them. What runs does not depend on it: a failure is told. */
export async function keepFilesBefore(project: Project, what: string): Promise<void> {
  try {
    await (await findPart(project, "snapshots"))?.takeBefore(project, what);
  } catch (error) {
    if (!isCheckpointError(error)) throw error;
    project.notices.warning(`The files were not kept before ${what}: ${error.message}`);
  }
}

interface FilesOccasion {
  readonly why: "manual";
  /** The trail of the work that it belongs to. */
  readonly trail?: string | undefined;
}

interface TakenFiles {
  /** How many files differ from the last commit, and how many of them are named without their content. */
  readonly files: number;
  readonly leftOut: number;
  /** Why the files could not be looked at. */
  readonly failed: string | null;
}
