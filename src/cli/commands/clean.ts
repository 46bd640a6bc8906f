import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CheckpointError } from "../../errors.ts";
import { oneLine } from "../../text/visible.ts";
import { cleanRuns, type CleanReport } from "../../workflow/runner/clean-runs.ts";
import type { CommandOf } from "../command.ts";
import type { Context } from "../context.ts";
import { hasStore } from "../../project/find-project.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { RUNS } from "../table/runs.ts";
import { removedAndKept } from "../view/removed-and-kept.ts";
import { bytes, count } from "../view/words.ts";
import { openRuns } from "../../project/runs/open-runs.ts";

/** Archive old failed runs and delete what they printed, with a report */
export const clean: CommandOf<typeof RUNS.clean> = async (context, options, output) => {
  const { maxAgeDays, status, dryRun } = options;
  const report = options.report === undefined ? undefined : resolve(context.cwd, options.report);
  if (report !== undefined && existsSync(report)) throw isThere(report);
  const project = context.project;
  if (!hasStore(project)) return show(nothing(dryRun), output);
  const workflows = await openRuns(project, dryRun ? "read" : "change");
  const plan = await cleanRuns(workflows, { maxAgeDays, status, dryRun: true });
  if (dryRun || (plan.removed.length === 0 && report === undefined))
    return show({ ...plan, dry_run: dryRun }, output);
  if (plan.removed.length > 0 && !options.yes) {
    if (!context.isInteractive || output.json) throw needsYes(plan, options);
    if (!(await isWanted(plan, context, output))) return output.message("Nothing was changed.");
  }
  show(await cleanRuns(workflows, { maxAgeDays, status, report }), output);
};

async function isWanted(plan: CleanReport, context: Context, output: Output): Promise<boolean> {
  const { askYesNo } = await import("../workflow/ask.ts");
  return askYesNo(context, output, `A${consequence(plan).slice(1)}?`, { enter: false });
}

const nothing = (dry_run: boolean): CleanReport => ({
  dry_run,
  removed: [],
  kept: [],
  dropped: [],
  bytes_freed: 0,
  report: null,
});

function show(report: CleanReport, output: Output): void {
  output.result(report, () => text(report, output));
  if (report.report !== null && !output.json) output.message(`The report: ${report.report}`);
}

function text({ dry_run, removed, kept, dropped, bytes_freed }: CleanReport, output: Output): string {
  const size = dry_run ? sizeOf(removed) : bytes_freed;
  const verb = dry_run ? "would be archived" : "archived";
  const freed =
    removed.length === 0 ? "" : `; ${bytes(size)} ${dry_run ? "of what was printed would go" : "freed"}`;
  return [
    ...removedAndKept(
      removed.map(({ run, reason }) => [oneLine(run), oneLine(reason)]),
      kept.map(({ run, reason }) => [oneLine(run), `stays: ${oneLine(reason)}`]),
      output,
    ),
    ...(dropped.length > 0
      ? [`Gone for good (the last 5 archives of a workflow stay): ${dropped.map(oneLine).join(", ")}`]
      : []),
    `${count(removed.length, "run")} ${verb}, ${kept.length} kept${freed}.`,
  ].join("\n");
}

const sizeOf = (removed: CleanReport["removed"]) => removed.reduce((sum, run) => sum + run.bytes, 0);

function needsYes(
  report: CleanReport,
  { maxAgeDays, status }: OptionsOf<typeof RUNS.clean>,
): CheckpointError {
  const age = maxAgeDays === undefined ? "" : ` --max-age-days ${maxAgeDays}`;
  const words = `checkpoint clean${age}${status === undefined ? "" : ` --status ${status}`}`;
  return new CheckpointError("refused", `Nothing was changed: this would ${consequence(report)}.`, {
    hint: `To look closer: ${words} --dry-run. To do it: ${words} --yes`,
  });
}

function consequence({ removed }: CleanReport): string {
  const printed = `${bytes(sizeOf(removed))} of what ${removed.length === 1 ? "it" : "they"} printed`;
  const names = removed.slice(0, 3).map(({ run }) => run);
  const more = removed.length > 3 ? ` and ${removed.length - 3} more` : "";
  return `archive ${count(removed.length, "run")} (${names.join(", ")}${more}) and delete ${printed}`;
}

function isThere(path: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${path}".`, {
    hint: "Choose another name after --report.",
    details: { path },
  });
}
