import type { Capability } from "../../work/project/capability.ts";
import type { Project } from "../../work/project/project.ts";

/** A capability that knows when runs are due. Workers ask it again and again, on every machine: what is due is started once. */
export interface FiresDueRuns extends Capability {
  /** Starts what is due, and resolves to the names of the runs that it started. */
  readonly dueRuns?: () => Promise<(project: Project) => Promise<readonly string[]>>;
}
