import { dirname, join, resolve } from "node:path";

import { refuseLinks } from "../../../core/store/private-files.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import type { StepSecrets } from "../engine/step-environment.ts";
import { cleanerFor } from "./clean-text.ts";

/** Where the locks and attempts of a run are. */
export function runFolder({ folder }: Pick<WorkflowContext, "folder">, id: string): string {
  const path = join(folder, "runs", id);
  refuseLinks(folder, path);
  return path;
}

/** What the steps of a run are started and checked with. */
export function surroundingsOf(
  context: WorkflowContext,
  { file }: Pick<Run, "file">,
  secrets: Readonly<Record<string, string>>,
) {
  const { root } = context;
  // Where the scripts that belong to the workflow usually are.
  const workflowFolder = file === undefined ? root : dirname(resolve(root, file));
  const stepSecrets: StepSecrets = new Map();
  const cleaner = cleanerFor(secrets, context.redactor, stepSecrets);
  return { ...context, ...cleaner, secrets, stepSecrets, workflowFolder };
}
