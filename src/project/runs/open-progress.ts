import { createRedactor } from "../../redaction/redactor.ts";
import type { ProgressContext } from "../../workflow/progress/note-progress.ts";
import type { Project } from "../project.ts";
import { settingsOf } from "../settings/settings.ts";

/** The store, for progress files. What agents wrote by hand is searched for secrets before it is stored. */
export async function openProgress(project: Project): Promise<ProgressContext> {
  const { redact, redact_allow } = await settingsOf(project);
  const cairn = await project.stores.open(project, "create");
  const redactor = createRedactor({ extraPatterns: redact, allow: redact_allow });
  return { cairn, root: project.root, now: project.now, redactor };
}
