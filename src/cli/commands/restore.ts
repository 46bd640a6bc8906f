import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { CheckpointError } from "../../errors.ts";
import * as verbs from "../../project/history/go-back.ts";
import type { CommandOf } from "../command.ts";
import type { Output } from "../output.ts";
import type { HISTORY } from "../table/keeping.ts";

/** Bring the state of an earlier checkpoint back */
export const restore: CommandOf<typeof HISTORY.restore> = async (context, options, output) => {
  const { checkpoint } = await verbs.restore(context.project, options);
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}. Files are as they were.`,
    "checkpoint undo takes this back.",
  ]);
};

/** Take the newest change back */
export const undo: CommandOf<typeof HISTORY.undo> = async (context, options, output) => {
  const { checkpoint, undone } = await verbs.undo(context.project, options);
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}.`,
    `checkpoint restore ${undone} takes this back.`,
  ]);
};

/** Start a new trail from a checkpoint */
export const fork: CommandOf<typeof HISTORY.fork> = async (context, options, output) => {
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
