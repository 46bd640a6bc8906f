import { diffSections } from "../../../work/state/diff-words.ts";
import type { WorkDiff } from "../../../work/state/work-diff.ts";
import { CheckpointError } from "../../../core/errors.ts";
import * as verbs from "../../../work/project/reading/diff.ts";
import type { CommandOf, CommandOptions } from "../command.ts";
import type { Style } from "../../../work/terminal/output.ts";

export const diff: CommandOf<"diff"> = async (context, options, output) => {
  const { from, to, changed, changes } = await verbs.diff(context.project, pairOf(options));
  const { yellow } = output.style;
  output.result({ from, to, changed, ...changes }, () => {
    const title = `${yellow(from.checkpoint_id)} → ${yellow(to.checkpoint_id)}`;
    return `${title}\n${diffText(changes, output.style) || "Nothing changed."}`;
  });
  return options.exitCode && changed ? 1 : 0;
};

function pairOf({ older, newer, from, to, trail }: CommandOptions<"diff">) {
  if ((older !== undefined && from !== undefined) || (newer !== undefined && to !== undefined))
    throw new CheckpointError("usage", "Each of the two checkpoints can be named only once.", {
      hint: "checkpoint diff OLDER NEWER",
    });
  return { trail, from: from ?? older, to: to ?? newer };
}

function diffText(diff: WorkDiff, style: Style): string {
  const paints = { "+": style.green, "-": style.red, "~": style.yellow };
  return diffSections(diff)
    .flatMap(([title, lines]) => [
      style.bold(title),
      ...lines.map(({ sign, text }) => `  ${paints[sign](sign)} ${text}`),
    ])
    .join("\n");
}
