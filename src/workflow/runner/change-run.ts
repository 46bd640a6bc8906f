import type { CommitNotes } from "../../checkpoints/document.ts";
import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { loadRun } from "./examine-run.ts";

/** After this many tries, some other process must be changing the run all the time. */
const MAX_TRIES = 50;

/**
 * Changes a run from outside its runner. The change is made again on the newer state if another process was faster;
 * if it returns undefined, nothing is changed. Rejects with `not-found`, and with `corrupt` when the run's state is
 * damaged.
 */
export async function changeRun(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  change: (run: Run) => Promise<({ readonly run: Run } & CommitNotes) | undefined>,
): Promise<Run> {
  const { trail, head: first } = await loadRun(context, id);
  for (let head = first, tries = 1; ; tries++) {
    const changed = await change(head.state.run);
    if (changed === undefined) return head.state.run;
    const { run, ...notes } = changed;
    try {
      await trail.commit(documentOf(run, head.state), notes);
      return run;
    } catch (error) {
      if (!isCheckpointError(error, "conflict") || tries >= MAX_TRIES) throw error;
      head = await trail.load();
    }
  }
}
