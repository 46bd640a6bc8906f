import { oneLine } from "../../text/visible.ts";
import * as verbs from "../../project/work/remarks.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORK } from "../table/work.ts";

/** Add a rule that whoever goes on must keep */
export async function constraint(
  context: Context,
  options: OptionsOf<typeof WORK.constraint>,
  output: Output,
): Promise<void> {
  const { number, ...result } = await verbs.constraint(projectOf(context, options, output), options);
  output.result(result, `Rule ${number}: ${oneLine(result.constraint.text)}`);
}

/** Record what the work waits for */
export async function block(
  context: Context,
  options: OptionsOf<typeof WORK.block>,
  output: Output,
): Promise<void> {
  const result = await verbs.block(projectOf(context, options, output), options);
  output.result(result, `Blocked by ${result.number}: ${oneLine(result.blocker.text)}`);
}

/** Remove a blocker */
export async function unblock(
  context: Context,
  options: OptionsOf<typeof WORK.unblock>,
  output: Output,
): Promise<void> {
  const result = await verbs.unblock(projectOf(context, options, output), options);
  const { removed, left } = result;
  const rest = left === 0 ? "Nothing blocks the work." : `Still blocked by ${left} more.`;
  output.result(result, `No longer blocked by: ${oneLine(removed.text)}\n${rest}`);
}
