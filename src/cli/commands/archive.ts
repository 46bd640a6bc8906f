import { archiveRun } from "../../workflow/runner/archive.ts";
import { findRunId } from "../../workflow/runner/find-run-id.ts";
import type { CommandOf } from "../command.ts";
import type { RUNS } from "../table/runs.ts";
import { count } from "../view/words.ts";
import { openRuns } from "../../project/runs/open-runs.ts";

/** Put a run aside: it can be looked at, but not resumed */
export const archive: CommandOf<typeof RUNS.archive> = async (context, { run: typed }, output) => {
  const workflows = await openRuns(context.project, "change");
  const id = await findRunId(workflows, typed);
  const { archived_as, wasArchived, isCorrupt, removed } = await archiveRun(workflows, id);
  if (isCorrupt)
    output.warning(
      "Its state is damaged: it was put aside untouched, and will never be removed automatically.\nTo start afresh: checkpoint run FILE",
    );
  if (removed.length > 0)
    output.message(`${count(removed.length, "older archive")} removed to make room: ${removed.join(", ")}.`);
  output.result(
    { run: id, archived_as, was_archived: wasArchived, is_corrupt: isCorrupt, removed },
    wasArchived ? `${id} is archived already, as ${archived_as}.` : `Archived ${id} as ${archived_as}.`,
  );
};
