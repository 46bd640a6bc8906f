import { runReport } from "../verbs/run-report.ts";
import * as verbs from "../verbs/runs.ts";
import { commandForRun } from "../verbs/waiting-runs.ts";
import { isUnfinished } from "../runner/find-runs.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { WorkflowCommand } from "../verbs.ts";
import { runText } from "../terminal/run.ts";
import { runRow } from "../terminal/runs.ts";

export const runs: WorkflowCommand<"runs"> = async (context, { archived }, output) => {
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
  const what = waiting.status === "running" ? `${oneLine(waiting.id)} is running` : "To continue";
  output.message(`${what}: ${await commandForRun(project, waiting)}`);
};

const NONE = "No runs yet. To try one: checkpoint run --template eight-agents";
const ONLY_ARCHIVED = "All runs are archived: checkpoint runs --archived";
const NONE_ARCHIVED =
  "No archived runs: checkpoint archive RUN archives one; completed ones are archived by themselves.";

export const runsShow: WorkflowCommand<"runs show"> = async (context, { run, commands, all }, output) => {
  const report = await runReport(context.project, { run });
  output.result(report.document, () => runText(report, { now: context.now(), commands, all, output }));
};
