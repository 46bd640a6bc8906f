import { archiveRun, putAsideAs } from "../../workflow/runner/archive.ts";
import { isCheckpointError } from "../../errors.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import type { CommandOf } from "../command.ts";
import type { RUNS } from "../table/runs.ts";
import { count } from "../view/words.ts";
import { readKnownRun } from "../../project/runs/known-run.ts";
import { openRuns } from "../../project/runs/open-runs.ts";

/** Put a run aside: it can be looked at, but not resumed */
export const archive: CommandOf<typeof RUNS.archive> = async (context, { run: id }, output) => {
  const workflows = await openRuns(context.project, "change");
  const before = await archivedBefore(workflows, id);
  const { archived_as, isCorrupt, removed } = await archiveRun(workflows, id);
  if (isCorrupt)
    output.warning(
      "Its state is damaged: it was put aside untouched, and nothing removes it.\nTo start afresh: checkpoint run FILE",
    );
  if (removed.length > 0)
    output.message(`${count(removed.length, "older archive")} made room: ${removed.join(", ")}.`);
  output.result(
    { run: id, archived_as, was_archived: before !== undefined, is_corrupt: isCorrupt, removed },
    before === undefined ? `Archived ${id} as ${archived_as}.` : `${id} is archived already, as ${before}.`,
  );
};

/** The name that a run is archived under already. */
async function archivedBefore(workflows: WorkflowContext, id: string): Promise<string | undefined> {
  try {
    return (await readKnownRun(workflows, id)).archived_as;
  } catch (error) {
    if (isCheckpointError(error, "corrupt")) return putAsideAs(workflows, id);
    throw error;
  }
}
