import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful, signed } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Add a rule that whoever goes on must keep */
export async function constraint(
  context: Context,
  options: OptionsOf<typeof WORK.constraint>,
  output: Output,
): Promise<void> {
  const { checkpoint, state } = await edit(context, options, output, {
    fresh: { text: meaningful(options.text, "The rule") },
    change: (state, { text }) => {
      state.constraints.push({ text, ...signed(context, options.agent) });
    },
  });
  const added = state.constraints.at(-1);
  output.result(
    { checkpoint, constraint: added },
    `Rule ${state.constraints.length}: ${oneLine(added?.text ?? "")}`,
  );
}
