import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { CleanReport } from "../runner/clean-runs.ts";
import type { WorkflowCommand, WorkflowOptions } from "../verbs.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { removedAndKept } from "../../../work/terminal/removed-and-kept.ts";
import { bytes, count } from "../../../work/state/words.ts";
import { runsClean } from "../verbs/put-aside.ts";

export const clean: WorkflowCommand<"clean"> = async (context, options, output) => {
  const { maxAgeDays, status, dryRun } = options;
  const report = options.report === undefined ? undefined : resolve(context.cwd, options.report);
  if (report !== undefined && existsSync(report)) throw alreadyThere(report);
  const plan = await runsClean(context.project, { maxAgeDays, status, dryRun: true });
  if (dryRun || (plan.removed.length === 0 && report === undefined))
    return show({ ...plan, dry_run: dryRun }, output);
  if (plan.removed.length > 0 && !options.yes) {
    const { isConfirmed } = await import("../../../work/terminal/ask.ts");
    const question = `A${consequence(plan).slice(1)}?`;
    if (!(await isConfirmed(context, output, question, needsYes(plan, options)))) return;
  }
  show(await runsClean(context.project, { maxAgeDays, status, report }), output);
};

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

function needsYes(report: CleanReport, { maxAgeDays, status }: WorkflowOptions<"clean">): CheckpointError {
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

function alreadyThere(path: string): CheckpointError {
  return new CheckpointError("conflict", `There is already a file "${path}".`, {
    hint: "Choose another name after --report.",
    details: { path },
  });
}
