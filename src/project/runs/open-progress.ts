import type { ProgressContext } from "../../workflow/progress/note-progress.ts";
import type { Project } from "../project.ts";
import { redactorOf } from "../settings/redactor-of.ts";

/** The store, for progress files. What agents wrote by hand is searched for secrets before it is stored. */
export async function openProgress(project: Project): Promise<ProgressContext> {
  const cairn = await project.stores.open(project, "create");
  const redactor = await redactorOf(project);
  return { cairn, root: project.root, now: project.now, redactor };
}
