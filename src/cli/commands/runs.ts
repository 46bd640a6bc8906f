import type { RunSummary } from "../../workflow/runner/find-runs.ts";
import type { CommandOf } from "../command.ts";
import { table } from "../columns.ts";
import * as verbs from "../../project/runs/runs.ts";
import type { RUNS } from "../table/runs.ts";
import { runRow } from "../view/runs.ts";

/** List the runs of workflows, the one that moved last first */
export const runs: CommandOf<typeof RUNS.runs> = async (context, { archived }, output) => {
  const project = context.project;
  const found = await verbs.runs(project, { archived });
  if (found.length === 0) {
    const isOnlyArchived = !archived && (await verbs.runs(project, { archived: true })).length > 0;
    output.message(archived ? NONE_ARCHIVED : isOnlyArchived ? ONLY_ARCHIVED : NONE);
  }
  const waiting = archived ? undefined : found.find(({ can_resume }) => can_resume);
  output.result({ archived, runs: found }, () => {
    const rows = found.map((run) => runRow(run, { now: context.now(), style: output.style, archived }));
    return rows.length === 0 ? "" : table(rows, output.columns);
  });
  if (waiting !== undefined && !output.json) output.message(`To go on: ${commandFor(waiting)}`);
};

const NONE = "No runs yet. To try one: checkpoint run --template eight-agents";
const ONLY_ARCHIVED = "No runs but archived ones: checkpoint runs --archived";
const NONE_ARCHIVED = "No archived runs: checkpoint archive RUN puts one aside, and completed ones are.";

function commandFor({ id, status }: RunSummary): string {
  if (status === "running") return `nothing is needed, it runs; checkpoint runs show ${id}`;
  return `checkpoint ${status === "awaiting_approval" ? "approve" : "resume"} ${id}`;
}
