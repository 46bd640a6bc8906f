import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordedPath } from "../../capture/files/recorded-path.ts";
import { CheckpointError, EXIT_STATUS } from "../../errors.ts";
import { cleanNotes } from "../../project/commit-work.ts";
import { meaningful } from "../../project/sentence.ts";
import { openProgress } from "../../project/runs/open-progress.ts";
import { oneLine } from "../../text/visible.ts";
import type { SourceProblem } from "../../workflow/definition/problems.ts";
import { noteProgress, PROGRESS_FOLDER } from "../../workflow/progress/note-progress.ts";
import { checkName } from "../../workflow/progress/progress.ts";
import { scanProgress, type ProgressScan } from "../../workflow/progress/scan-progress.ts";
import { table } from "../columns.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import type { RUNS } from "../table/runs.ts";
import { ago } from "../view/time.ts";
import { count, words } from "../view/words.ts";

/** Note what an agent did: a checkpoint, and its progress file */
export const progressNote: CommandOf<(typeof RUNS)["progress note"]> = async (context, options, output) => {
  const typed = meaningful(options.text, "The note");
  const feature = options.feature ?? missing("--feature", "what is worked on");
  const project = context.project;
  const agent = project.actor.agentId ?? missing("--agent", "who did it");
  // Before a store is made for them.
  checkName("feature", feature);
  checkName("agent", agent);
  if (options.team !== undefined) checkName("team", options.team);
  const progress = await openProgress(project);
  const { notes: text = typed } = await cleanNotes(project, typed);
  const { team, phase, status, milestone } = options;
  const noted = await noteProgress(progress, { feature, agent, text, team, phase, status, milestone });
  const file = recordedPath(progress.root, noted.file);
  output.result(
    { checkpoint: noted.checkpoint, file, progress: noted.progress },
    noted.checkpoint.checkpoint_id,
  );
  if (!output.json) output.message(`Wrote ${file}.`);
};

function missing(option: string, what: string): never {
  throw new CheckpointError("usage", `checkpoint progress note needs ${option}: ${what}.`, {
    hint: 'checkpoint progress note --feature login --agent tester "Wrote the first test"',
    details: { option },
  });
}

/** Read in what agents wrote into their progress files by hand */
export const progressScan: CommandOf<(typeof RUNS)["progress scan"]> = async (context, _options, output) => {
  // Looking for files must not make a store where there is nothing to keep.
  const project = context.project;
  if (!existsSync(join(project.root, PROGRESS_FOLDER))) {
    output.message(NONE);
    output.result({ files: [], problems: [] }, "");
    return 0;
  }
  const progress = await openProgress(project);
  const { found, problems } = await scanProgress(progress);
  const read = found.filter(({ isNew }) => isNew).length;
  if (found.length + problems.length === 0) output.message(NONE);
  else if (read > 0) output.message(`${count(read, "file")} had something new, which is saved now.`);
  const files = found.map(({ file, progress, isNew, is_complete }) => ({
    file,
    is_new: isNew,
    is_complete,
    progress,
  }));
  output.result({ files, problems }, () => text({ found, problems }, context.now(), output));
  return problems.length > 0 ? EXIT_STATUS.usage : 0;
};

const NONE =
  'No progress files in docs/progress: checkpoint progress note --feature F --agent A "…" writes one.';

function text({ found, problems }: ProgressScan, now: Date, { style, columns }: Output): string {
  const rows = found.map(({ file, progress, is_complete }) => [
    is_complete ? style.green("[x]") : progress.status === "blocked" ? style.red("[!]") : "[ ]",
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
