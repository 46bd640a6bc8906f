import { runReport } from "../verbs/run-report.ts";
import * as verbs from "../verbs/runs.ts";
import { commandForRun } from "../verbs/waiting-runs.ts";
import { isUnfinished } from "../runner/find-runs.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { WorkflowCommand } from "../verbs.ts";
import { runText } from "../terminal/run.ts";
import { runRow } from "../terminal/runs.ts";

export const runs: WorkflowCommand<"runs"> = async (context, options, output) => {
  const project = context.project;
  const { archived, status, workflow, all } = options;
  const limit = options.limit ?? (all ? undefined : verbs.LISTED);
  // One more than is shown tells whether there are more.
  const read = await verbs.runs(project, { ...options, ...(limit !== undefined && { limit: limit + 1 }) });
  const found = read.slice(0, limit);
  const has_more = read.length > found.length;
  if (found.length === 0) {
    const isFiltered = status !== undefined || workflow !== undefined;
    const isOnlyArchived =
      !archived && !isFiltered && (await verbs.runs(project, { archived: true, limit: 1 })).length > 0;
    output.message(isFiltered ? NONE_SUCH : archived ? NONE_ARCHIVED : isOnlyArchived ? ONLY_ARCHIVED : NONE);
  }
  const waiting = archived ? undefined : found.find(isUnfinished);
  output.result({ archived, runs: found, has_more }, () => {
    const rows = found.map((run) => runRow(run, { now: context.now(), style: output.style, archived }));
    return table(rows, output.columns, () => true);
  });
  if (output.json) return;
  if (has_more) output.message(`There are more: checkpoint runs --all, or --limit ${2 * found.length}`);
  if (waiting === undefined) return;
  const what = waiting.status === "running" ? `${oneLine(waiting.id)} is running` : "To continue";
  output.message(`${what}: ${await commandForRun(project, waiting)}`);
};

const NONE_SUCH = "No such runs. All: checkpoint runs";
const NONE = "No runs yet. To try one: checkpoint run --template eight-agents";
const ONLY_ARCHIVED = "All runs are archived: checkpoint runs --archived";
const NONE_ARCHIVED =
  "No archived runs: checkpoint archive RUN archives one; completed ones are archived by themselves.";

export const runsShow: WorkflowCommand<"runs show"> = async (context, { run, commands, all }, output) => {
  const report = await runReport(context.project, { run });
  output.result(report.document, () => runText(report, { now: context.now(), commands, all, output }));
};
