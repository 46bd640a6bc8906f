import { readWorkState, type WorkState } from "../../state/work-state.ts";
import type { Project } from "../project.ts";
import { load } from "./load.ts";

/** The state of a trail's newest checkpoint, as our code may trust it. */
export async function loadWork(
  project: Project,
  input: { readonly trail?: string | undefined },
): Promise<WorkState> {
  return readWorkState((await load(project, input)).state);
}
