import type { CheckpointInfo } from "../../../core/trails/document.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { count } from "../../../work/state/words.ts";
import * as verbs from "../../../work/project/history/go-back.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../../../work/terminal/output.ts";

export const restore: CommandOf<"restore"> = async (context, options, output) => {
  const { checkpoint, can_revert } = await verbs.restore(context.project, options);
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}. No file was changed.`,
    can_revert ? "checkpoint undo reverts this." : damagedBefore(checkpoint),
  ]);
};

const FILES_LEFT = 6;

export const undo: CommandOf<"undo"> = async (context, options, output) => {
  const { checkpoint, undone, can_revert, files } = await verbs.undo(context.project, options);
  if (files !== undefined) {
    for (const { path, why } of files.left) output.warning(`${oneLine(path)} was left: ${why}`);
    const back = count(files.restored, "file");
    report(checkpoint, output, [
      `The rewind ${undone} was taken back: ${back}. checkpoint rewind --undo reverts this.`,
    ]);
    return files.left.length > 0 ? FILES_LEFT : 0;
  }
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}.`,
    can_revert ? `checkpoint restore ${undone} reverts this.` : damagedBefore(checkpoint),
  ]);
  return 0;
};

const damagedBefore = ({ parent_checkpoint_id }: CheckpointInfo) =>
  `${parent_checkpoint_id} stays in the history, but it is damaged.`;

export const fork: CommandOf<"fork"> = async (context, options, output) => {
  const { as } = options;
  if (as === undefined) {
    throw new CheckpointError("usage", "checkpoint fork needs --as TRAIL: the new trail's name.", {
      hint: "checkpoint fork --help",
    });
  }
  const { checkpoint } = await verbs.fork(context.project, { ...options, as });
  report(checkpoint, output, [
    `Trail ${as} starts from ${checkpoint.restored_from}.`,
    `To work on it: export CHECKPOINT_TRAIL=${as}`,
  ]);
};

function report(info: CheckpointInfo, output: Output, sentences: readonly string[]): void {
  for (const sentence of sentences) output.message(sentence);
  output.result({ checkpoint: info }, info.checkpoint_id);
}
