import { oneLine, visible } from "../../text/visible.ts";
import * as verbs from "../../project/work/next.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Say what is to be done next, or show it */
export const next: CommandOf<typeof WORK.next> = async (context, options, output) => {
  const { trail, text } = options;
  const result = await verbs.next(context.project, { trail, next_action: text });
  const { checkpoint, next_action } = result;
  if (next_action === null) output.message('No next action yet: checkpoint next "…" sets it.');
  output.result(
    result,
    checkpoint === null ? visible(next_action ?? "") : `Next: ${oneLine(next_action ?? "")}`,
  );
};
