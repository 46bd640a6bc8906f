import { saidHere } from "../../checkpoints/imported-marks.ts";
import { textOf } from "../../text/untrusted.ts";
import { oneLine, visible } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful } from "../edit.ts";
import { openToRead } from "../open.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Say what is to be done next, or show it */
export async function next(
  context: Context,
  options: OptionsOf<typeof WORK.next>,
  output: Output,
): Promise<void> {
  if (options.text === undefined) return show(context, options, output);
  const { checkpoint, state } = await edit(context, options, output, {
    fresh: { next_action: meaningful(options.text, "The next action") },
    change: (state, { next_action }) => {
      state.next_action = next_action;
      saidHere(state, [next_action]);
    },
  });
  output.result(
    { checkpoint, next_action: state.next_action ?? null },
    `Next: ${oneLine(state.next_action ?? "")}`,
  );
}

async function show(context: Context, options: OptionsOf<typeof WORK.next>, output: Output): Promise<void> {
  const { trail } = await openToRead(context, options, output);
  const found = textOf((await trail.load()).state, "next_action");
  if (found === undefined) output.message('No next action yet: checkpoint next "…" sets it.');
  output.result({ checkpoint: null, next_action: found ?? null }, visible(found ?? ""));
}
