import type { Checkpoint } from "../../checkpoints/document.ts";
import type { WorkState } from "../../checkpoints/work-state.ts";
import { readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";

export interface LoadInput {
  readonly trail?: string | undefined;
  /** The newest without one; the beginning of an id is enough. */
  readonly id?: string | undefined;
}

/** Everything that a checkpoint holds. */
export async function load(
  project: Project,
  { trail: named, id }: LoadInput,
): Promise<Checkpoint<WorkState>> {
  const { trail } = await readTrail(project, named);
  return trail.load(id);
}
