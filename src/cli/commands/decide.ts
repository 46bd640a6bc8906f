import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/work/decide.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Record a decision and its reason */
export async function decide(
  context: Context,
  options: OptionsOf<typeof WORK.decide>,
  output: Output,
): Promise<void> {
  const { trail, text, why } = options;
  const result = await verbs.decide(projectOf(context, options, output), { trail, what: text, why });
  const { decision } = result;
  const reason = decision.why ? ` (${oneLine(decision.why)})` : "";
  output.result(result, `Decided: ${oneLine(decision.what)}${reason}`);
}
