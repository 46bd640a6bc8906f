import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import { isConfirmed } from "../../../work/terminal/ask.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { isPath, pathInProject } from "./path-in-project.ts";
import type { FilesCommand } from "../verbs.ts";
import { rewind as rewindVerb, rewindWork, type RewindResult } from "../verbs/rewind.ts";

const CONFLICT = 6;
const MOST_SHOWN = 40;

export const rewind: FilesCommand<"rewind"> = async (context, options, output) => {
  const { id, paths, work, both, dryRun, yes, ...rest } = options;
  const hasNoMoment = id !== undefined && isPath(context, id);
  const only = (hasNoMoment ? [id, ...paths] : paths).map((path) => pathInProject(context, path));
  const input = { ...rest, id: hasNoMoment ? undefined : id, only };
  if (work && dryRun)
    throw new CheckpointError("usage", "--dry-run shows what happens to files.", {
      hint: "checkpoint rewind --help",
    });
  let conflicts = 0;
  if (!work) {
    const { project } = context;
    let result = await rewindVerb(project, { ...input, dryRun: true });
    say(result, output);
    const files = count(result.restored.length, "file");
    const isNothing = result.restored.length === 0;
    if (isNothing && result.conflicts.length === 0)
      output.message("Nothing to do: the files are as they were.");
    if (!isNothing && !dryRun) {
      if (!yes && !(await isConfirmed(context, output, `Bring back ${files}?`, needsYes(files)))) return 0;
      const known = new Set(result.conflicts.map(({ path }) => path));
      result = await rewindVerb(project, input);
      output.message(
        `${count(result.restored.length, "file")} brought back. checkpoint rewind --undo reverts this.`,
      );
      for (const { path, why } of result.conflicts.filter((each) => !known.has(each.path)))
        output.warning(`${oneLine(path)} was left: ${why}`);
    }
    output.result(result, "");
    conflicts = result.conflicts.length;
  }
  if (work || (both && !dryRun)) {
    const { checkpoint } = await rewindWork(context.project, input);
    output.message(`${checkpoint.trail} is back at the state of ${checkpoint.restored_from}.`);
  }
  return conflicts > 0 ? CONFLICT : 0;
};

function say(result: RewindResult, output: Output): void {
  const { target, restored, conflicts, others, committed, not_covered } = result;
  output.message(
    `To ${target.checkpoint_id} (${target.why}${target.turn === null ? "" : `, turn ${target.turn}`}):`,
  );
  const lists = [
    ["would be written", restored.filter(({ what }) => what === "write").map(({ path }) => oneLine(path))],
    ["would be deleted", restored.filter(({ what }) => what === "delete").map(({ path }) => oneLine(path))],
    ["left, changed by others too (--force overrides)", named(conflicts)],
    ["left, changed by others only", named(others)],
    ["left, the commits differ (--across-commits includes them)", committed.map(({ path }) => oneLine(path))],
    ["not covered", named(not_covered)],
  ] as const;
  for (const [title, paths] of lists) {
    if (paths.length === 0) continue;
    output.message(`  ${title}:`);
    for (const path of paths.slice(0, MOST_SHOWN)) output.message(`    ${path}`);
    if (paths.length > MOST_SHOWN) output.message(`    and ${paths.length - MOST_SHOWN} more`);
  }
}

const named = (files: readonly { readonly path: string; readonly why: string }[]) =>
  files.map(({ path, why }) => `${oneLine(path)} (${why})`);

function needsYes(files: string): CheckpointError {
  return new CheckpointError("refused", `Bringing back ${files} needs --yes where nobody can be asked.`, {
    hint: "To see what would happen: checkpoint rewind --dry-run",
  });
}
