import { EXIT_STATUS } from "../../../core/errors.ts";
import * as verbs from "../verbs/progress.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { SourceProblem } from "../../../work/yaml/problems.ts";
import { noteCommand } from "../../../work/progress/progress.ts";
import type { ProgressScan } from "../../../work/progress/scan-progress.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { WorkflowCommand } from "../verbs.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { statusSign } from "../../../work/terminal/signs.ts";
import { ago } from "../../../core/text/time.ts";
import { count, words } from "../../../work/state/words.ts";

export const progressNote: WorkflowCommand<"progress note"> = async (context, options, output) => {
  const noted = await verbs.progressNote(context.project, options);
  output.result(noted, noted.checkpoint.checkpoint_id);
  if (!output.json) output.message(`Wrote ${noted.file}.`);
};

export const progressScan: WorkflowCommand<"progress scan"> = async (context, _options, output) => {
  const { found, problems } = await verbs.progressScan(context.project);
  const read = found.filter(({ isNew }) => isNew).length;
  if (found.length + problems.length === 0) output.message(NONE);
  else if (read > 0) output.message(`${count(read, "file")} had something new, which is saved now.`);
  const files = found.map(({ file, progress, isNew, is_complete }) => ({
    file,
    is_new: isNew,
    is_complete,
    progress,
    command: is_complete ? null : noteCommand(progress),
  }));
  output.result({ files, problems }, () => text({ found, problems }, context.now(), output));
  const open = files.flatMap(({ command }) => command ?? []);
  if (open.length > 0 && !output.json) output.message(["To continue:", ...open].join("\n  "));
  return problems.length > 0 ? EXIT_STATUS.usage : 0;
};

const NONE =
  'No progress files in docs/progress: checkpoint progress note --feature F --agent A "…" writes one.';

function text({ found, problems }: ProgressScan, now: Date, { style, columns }: Output): string {
  const rows = found.map(({ file, progress, is_complete }) => [
    statusSign(is_complete ? "completed" : progress.status === "blocked" ? "blocked" : "pending", style),
    oneLine(file),
    `${progress.phase}, ${words(progress.status)}`,
    ago(progress.updated, now),
    oneLine(progress.last_action),
  ]);
  return [
    ...(rows.length > 0 ? [table(rows, columns)] : []),
    ...problems.map((problem) => problemText(problem, style)),
  ].join("\n");
}

function problemText(
  { file = "?", line, column, message, remedy }: SourceProblem,
  style: Output["style"],
): string {
  const place = line === undefined ? file : `${file}:${line}:${column ?? 1}`;
  return `${style.red("malformed:")} ${oneLine(place)}: ${oneLine(message)}\n  ${oneLine(remedy)}`;
}
