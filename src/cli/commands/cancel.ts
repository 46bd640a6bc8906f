import { readRun } from "../../workflow/runner/examine-run.ts";
import { findRunId } from "../../workflow/runner/find-run-id.ts";
import { oneLine } from "../../text/visible.ts";
import { cancelRun } from "../../workflow/runner/cancel-run.ts";
import type { CommandOf } from "../command.ts";
import type { WORKFLOWS } from "../table/workflows.ts";
import { statusText } from "../view/runs.ts";
import { count } from "../view/words.ts";
import { cleanNotes } from "../../project/commit-work.ts";
import { outcomeOf } from "../../project/runs/run-outcome.ts";
import { openRuns } from "../../project/runs/open-runs.ts";

/** End a run for good: running steps stop, and no others start */
export const cancel: CommandOf<typeof WORKFLOWS.cancel> = async (context, options, output) => {
  const workflows = await openRuns(context.project, "change");
  const before = await readRun(workflows, await findRunId(workflows, options.run));
  const { notes: reason } = await cleanNotes(context.project, options.reason);
  const run = await cancelRun(workflows, before.id, { reason });
  const outcome = outcomeOf(workflows, run);
  if (run.status === before.status) output.message(`It was already ${before.status}; nothing was changed.`);
  output.result({ run: outcome }, () => {
    const { completed, total } = outcome;
    return `${output.style.bold(oneLine(run.id))}  ${statusText(run.status, output.style)}  ${completed} of ${count(total, "step")}`;
  });
};
