import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import { thinArchives } from "./archive.ts";

/** What is left to do when a runner is done with a run. */
export async function afterwards(context: WorkflowContext, run: Run): Promise<void> {
  if (run.status === "completed") await thinArchives(context, run.workflow);
}
