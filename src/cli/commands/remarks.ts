import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/work/remarks.ts";
import type { CommandOf } from "../command.ts";
import type { WORK } from "../table/work.ts";

/** Add a rule that every later agent must keep */
export const constraint: CommandOf<typeof WORK.constraint> = async (context, options, output) => {
  const { number, ...result } = await verbs.constraint(context.project, options);
  output.result(result, `Rule ${number}: ${oneLine(result.constraint.text)}`);
};

/** Record what the work waits for */
export const block: CommandOf<typeof WORK.block> = async (context, options, output) => {
  const result = await verbs.block(context.project, options);
  output.result(result, `Blocked by ${result.number}: ${oneLine(result.blocker.text)}`);
};

/** Remove a blocker */
export const unblock: CommandOf<typeof WORK.unblock> = async (context, options, output) => {
  const result = await verbs.unblock(context.project, options);
  const { removed, left } = result;
  const rest = left === 0 ? "Nothing blocks the work." : `Still blocked by ${left} more.`;
  output.result(result, `No longer blocked by: ${oneLine(removed.text)}\n${rest}`);
};
