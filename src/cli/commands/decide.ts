import { oneLine } from "../../text/visible.ts";
import type { Context } from "../context.ts";
import { edit, meaningful, signed } from "../edit.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Record a decision and its reason */
export async function decide(
  context: Context,
  options: OptionsOf<typeof WORK.decide>,
  output: Output,
): Promise<void> {
  const why = options.why === undefined ? null : meaningful(options.why, "--why");
  const { checkpoint, state } = await edit(context, options, output, {
    fresh: { what: meaningful(options.text, "The decision"), why },
    change: (state, fresh) => {
      state.decisions.push({ ...fresh, ...signed(context, options.agent) });
    },
  });
  const decision = state.decisions.at(-1);
  const reason = decision?.why ? ` (${oneLine(decision.why)})` : "";
  output.result({ checkpoint, decision }, `Decided: ${oneLine(decision?.what ?? "")}${reason}`);
}
