import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful, signed } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Record what the work waits for */
export async function block(
  context: Context,
  options: OptionsOf<typeof WORK.block>,
  output: Output,
): Promise<void> {
  const { checkpoint, state } = await edit(context, options, output, {
    fresh: { text: meaningful(options.text, "The blocker") },
    change: (state, { text }) => {
      state.blockers.push({ text, ...signed(context, options.agent) });
    },
  });
  const number = state.blockers.length;
  const blocker = state.blockers.at(-1);
  output.result({ checkpoint, number, blocker }, `Blocked by ${number}: ${oneLine(blocker?.text ?? "")}`);
}
