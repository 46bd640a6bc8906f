import type { CheckpointInfo, CommitNotes } from "../../checkpoints/document.ts";
import { parseTrailName } from "../../checkpoints/names.ts";
import { CheckpointError } from "../../errors.ts";
import { refuseRun } from "../choose-trail.ts";
import { cleanNotes, who } from "../commit.ts";
import type { Configured } from "../../project/settings/settings.ts";
import type { Context } from "../context.ts";
import { openToWrite } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { KEEPING } from "../table/keeping.ts";

/** Bring the state of an earlier checkpoint back */
export async function restore(
  context: Context,
  options: OptionsOf<typeof KEEPING.restore>,
  output: Output,
): Promise<void> {
  const { cairn, trail, settings } = await openToWrite(context, { ...options, mustExist: true }, output);
  const info = await trail.restore(options.id, await saying(context, options, settings, output));
  await cairn.close();
  report(info, output, [
    `${info.trail} is back at the state of ${info.restored_from}. Files are as they were.`,
    "checkpoint undo takes this back.",
  ]);
}

/** Take the newest change back */
export async function undo(
  context: Context,
  options: OptionsOf<typeof KEEPING.undo>,
  output: Output,
): Promise<void> {
  const { cairn, trail, settings } = await openToWrite(context, { ...options, mustExist: true }, output);
  const before = await trail.head();
  const info = await trail.undo(await saying(context, options, settings, output));
  await cairn.close();
  report(info, output, [
    `${info.trail} is back at the state of ${info.restored_from}.`,
    `checkpoint restore ${before?.checkpoint_id} takes this back.`,
  ]);
}

/** Start a new trail from a checkpoint */
export async function fork(
  context: Context,
  options: OptionsOf<typeof KEEPING.fork>,
  output: Output,
): Promise<void> {
  if (options.as === undefined) {
    throw new CheckpointError("usage", "checkpoint fork needs --as TRAIL: the new trail's name.", {
      hint: "checkpoint fork --help",
    });
  }
  const name = parseTrailName(options.as);
  refuseRun(name);
  const from = { ...options, mustExist: true, mayBeRun: true };
  const { cairn, trail, settings } = await openToWrite(context, from, output);
  const { id } = options;
  const forked = await trail.fork(name, {
    ...(await saying(context, options, settings, output)),
    ...(id === undefined ? {} : { id }),
  });
  const info = (await forked.head()) as CheckpointInfo;
  await cairn.close();
  report(info, output, [
    `Trail ${name} starts from ${info.restored_from}.`,
    `To work on it: export CHECKPOINT_TRAIL=${name}`,
  ]);
}

async function saying(
  context: Context,
  { agent, notes }: { agent?: string | undefined; notes?: string | undefined },
  settings: Configured,
  output: Output,
): Promise<CommitNotes> {
  return { ...who(context, agent), ...(await cleanNotes(notes, settings, output)) };
}

function report(info: CheckpointInfo, output: Output, sentences: readonly string[]): void {
  for (const sentence of sentences) output.message(sentence);
  output.result({ checkpoint: info }, info.checkpoint_id);
}
