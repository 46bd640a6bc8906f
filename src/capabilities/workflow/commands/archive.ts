import type { WorkflowCommand } from "../verbs.ts";
import { count } from "../../../work/state/words.ts";
import { runArchive } from "../verbs/put-aside.ts";

export const archive: WorkflowCommand<"archive"> = async (context, options, output) => {
  const archived = await runArchive(context.project, options);
  const { run, archived_as, was_archived, is_corrupt, removed } = archived;
  if (is_corrupt)
    output.warning(
      "Its state is damaged: it was archived untouched, and will never be removed automatically.\nTo start afresh: checkpoint run FILE",
    );
  if (removed.length > 0)
    output.message(`${count(removed.length, "older archive")} removed to make room: ${removed.join(", ")}.`);
  output.result(
    archived,
    was_archived ? `${run} is archived already, as ${archived_as}.` : `Archived ${run} as ${archived_as}.`,
  );
};
