import type { Checkpoint } from "../../../core/trails/document.ts";
import type { WorkState } from "../../state/work-state.ts";
import { readTrail } from "../choose-trail.ts";
import type { Project } from "../project.ts";
import type { InputOf } from "../../verbs/field.ts";
import type { READING } from "./verbs.ts";

/** Everything that a checkpoint holds. */
export async function load(
  project: Project,
  { trail: named, id }: InputOf<(typeof READING)["load"]>,
): Promise<Checkpoint<WorkState>> {
  const { trail } = await readTrail(project, named, id);
  return trail.load(id);
}
