import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/work/decide.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Record a decision and its reason */
export const decide: CommandOf<typeof WORK.decide> = async (context, options, output) => {
  const { trail, text, why } = options;
  const result = await verbs.decide(context.project, { trail, what: text, why });
  const { decision } = result;
  const reason = decision.why ? ` (${oneLine(decision.why)})` : "";
  output.result(result, `Decided: ${oneLine(decision.what)}${reason}`);
};
