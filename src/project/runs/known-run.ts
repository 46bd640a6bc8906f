import { CheckpointError, isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { RUN_TRAIL_PREFIX, type Run } from "../../workflow/run/run-state.ts";
import { readRun } from "../../workflow/runner/examine-run.ts";

/** Loads a run. One that is not there is reported with the name that was probably meant. */
export async function readKnownRun(workflows: WorkflowContext, id: string): Promise<Run> {
  try {
    return await readRun(workflows, id);
  } catch (error) {
    if (!isCheckpointError(error, "not-found")) throw error;
    const trails = await workflows.cairn.trails({ prefix: RUN_TRAIL_PREFIX });
    const known = trails.map(({ name }) => name.slice(RUN_TRAIL_PREFIX.length));
    throw new CheckpointError("not-found", error.message, {
      hint: "checkpoint runs",
      details: { run: id, typed: id, known },
    });
  }
}
