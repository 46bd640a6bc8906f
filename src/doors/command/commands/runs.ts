import { runReport } from "../../../capabilities/workflow/verbs/run-report.ts";
import * as verbs from "../../../capabilities/workflow/verbs/runs.ts";
import { commandForRun } from "../../../capabilities/workflow/verbs/waiting-runs.ts";
import { isUnfinished } from "../../../capabilities/workflow/runner/find-runs.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { CommandOf } from "../command.ts";
import { runText } from "../view/run.ts";
import { runRow } from "../view/runs.ts";

export const runs: CommandOf<"runs"> = async (context, { archived }, output) => {
  const project = context.project;
  const found = await verbs.runs(project, { archived });
  if (found.length === 0) {
    const isOnlyArchived = !archived && (await verbs.runs(project, { archived: true })).length > 0;
    output.message(archived ? NONE_ARCHIVED : isOnlyArchived ? ONLY_ARCHIVED : NONE);
  }
  const waiting = archived ? undefined : found.find(isUnfinished);
  output.result({ archived, runs: found }, () => {
    const rows = found.map((run) => runRow(run, { now: context.now(), style: output.style, archived }));
    return table(rows, output.columns, () => true);
  });
  if (waiting === undefined || output.json) return;
  const what = waiting.status === "running" ? `${oneLine(waiting.id)} is running` : "To go on";
  output.message(`${what}: ${await commandForRun(project, waiting)}`);
};

const NONE = "No runs yet. To try one: checkpoint run --template eight-agents";
const ONLY_ARCHIVED = "All runs are archived: checkpoint runs --archived";
const NONE_ARCHIVED =
  "No archived runs: checkpoint archive RUN archives one; completed ones are archived by themselves.";

export const runsShow: CommandOf<"runs show"> = async (context, { run, commands, all }, output) => {
  const report = await runReport(context.project, { run });
  output.result(report.document, () => runText(report, { now: context.now(), commands, all, output }));
};
