import type { CheckpointInfo } from "../../checkpoints/document.ts";
import { CheckpointError } from "../../errors.ts";
import * as verbs from "../../project/history/go-back.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { KEEPING } from "../table/keeping.ts";

/** Bring the state of an earlier checkpoint back */
export async function restore(
  context: Context,
  options: OptionsOf<typeof KEEPING.restore>,
  output: Output,
): Promise<void> {
  const { checkpoint } = await verbs.restore(projectOf(context, options, output), options);
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}. Files are as they were.`,
    "checkpoint undo takes this back.",
  ]);
}

/** Take the newest change back */
export async function undo(
  context: Context,
  options: OptionsOf<typeof KEEPING.undo>,
  output: Output,
): Promise<void> {
  const { checkpoint, undone } = await verbs.undo(projectOf(context, options, output), options);
  report(checkpoint, output, [
    `${checkpoint.trail} is back at the state of ${checkpoint.restored_from}.`,
    `checkpoint restore ${undone?.checkpoint_id} takes this back.`,
  ]);
}

/** Start a new trail from a checkpoint */
export async function fork(
  context: Context,
  options: OptionsOf<typeof KEEPING.fork>,
  output: Output,
): Promise<void> {
  const { as } = options;
  if (as === undefined) {
    throw new CheckpointError("usage", "checkpoint fork needs --as TRAIL: the new trail's name.", {
      hint: "checkpoint fork --help",
    });
  }
  const { checkpoint } = await verbs.fork(projectOf(context, options, output), { ...options, as });
  report(checkpoint, output, [
    `Trail ${as} starts from ${checkpoint.restored_from}.`,
    `To work on it: export CHECKPOINT_TRAIL=${as}`,
  ]);
}

function report(info: CheckpointInfo, output: Output, sentences: readonly string[]): void {
  for (const sentence of sentences) output.message(sentence);
  output.result({ checkpoint: info }, info.checkpoint_id);
}
