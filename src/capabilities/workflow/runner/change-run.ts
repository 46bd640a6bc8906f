import type { CommitNotes } from "../../../core/trails/document.ts";
import { isCheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import { documentOf } from "../run/work-document.ts";
import { loadRun, type LoadedRun } from "./examine-run.ts";
import { loadHead } from "./run-journal.ts";

/** After this many tries, some other process must be changing the run all the time. */
const MAX_TRIES = 50;

/** What to make of a run; undefined leaves it alone. */
export type RunChange = (run: Run) => Promise<({ readonly run: Run } & CommitNotes) | undefined>;

/**
 * Changes a run from outside its runner. The change is made again on the newer state if another process was faster;
 * if it returns undefined, nothing is changed. Rejects with `not-found`, and with `corrupt` when the run's state is
 * damaged.
 */
export async function changeRun(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  change: RunChange,
): Promise<Run> {
  return (await changeLoaded(await loadRun(context, id), change)).head.state.run;
}

/** The same for a run that is loaded already. Its trail must not be in use elsewhere. */
export async function changeLoaded({ trail, head: first }: LoadedRun, change: RunChange): Promise<LoadedRun> {
  for (let head = first, tries = 1; ; tries++) {
    const changed = await change(head.state.run);
    if (changed === undefined) return { trail, head };
    const { run, ...notes } = changed;
    const state = documentOf(run, head.state);
    try {
      return { trail, head: { ...(await trail.commit(state, notes)), state } };
    } catch (error) {
      if (!isCheckpointError(error, "conflict") || tries >= MAX_TRIES) throw error;
      head = await loadHead(trail);
    }
  }
}
