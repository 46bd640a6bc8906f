import { changeSentence } from "../../../work/state/diff-words.ts";
import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { oneLine } from "../../../core/text/visible.ts";
import * as verbs from "../../../work/project/reading/list.ts";
import type { CommandOf } from "../command.ts";
import { table } from "../../../work/terminal/columns.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { ago } from "../../../core/text/time.ts";

export const list: CommandOf<"list"> = async (context, options, output) => {
  const project = context.project;
  if (output.json) return output.result(await verbs.list(project, options), "");
  // A checkpoint without notes shows what it changed.
  const { trail, checkpoints } = await verbs.log(project, { ...options, onlyWithoutNotes: true });
  if (checkpoints.length === 0) {
    output.message("No checkpoint matches.");
    return;
  }
  const now = context.now();
  const rows = checkpoints.map((entry) => {
    const words = entry.notes === null || entry.damaged ? changeSentence(entry, 2) : oneLine(entry.notes);
    return row(entry, words, { now, withTrail: trail === null, output });
  });
  // A shortened id is useless.
  const namesOther = (index: number) =>
    checkpoints[index]!.notes === null && checkpoints[index]!.restored_from !== null;
  output.result({}, table(rows, output.columns, namesOther));
};

function row(
  info: CheckpointInfo,
  words: string,
  { now, withTrail, output: { style } }: { now: Date; withTrail: boolean; output: Output },
): string[] {
  const who = info.agent_id === null ? "" : `@${oneLine(info.agent_id)}`;
  return [
    style.yellow(info.checkpoint_id),
    ago(info.created_at, now),
    ...(withTrail ? [style.cyan(info.trail)] : []),
    style.dim(oneLine(info.trigger)),
    [words, who].filter((part) => part !== "").join("  "),
  ];
}
