import { oneLine, visible } from "../../text/visible.ts";
import * as verbs from "../../project/work/next.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Say what is to be done next, or show it */
export async function next(
  context: Context,
  options: OptionsOf<typeof WORK.next>,
  output: Output,
): Promise<void> {
  const { trail, text } = options;
  const result = await verbs.next(projectOf(context, options, output), { trail, next_action: text });
  const { checkpoint, next_action } = result;
  if (next_action === null) output.message('No next action yet: checkpoint next "…" sets it.');
  output.result(
    result,
    checkpoint === null ? visible(next_action ?? "") : `Next: ${oneLine(next_action ?? "")}`,
  );
}
