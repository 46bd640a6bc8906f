import * as verbs from "../../project/looking/status.ts";
import type { Context } from "../context.ts";
import { projectOf } from "../door.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { SAVING } from "../table/saving.ts";
import { statusText } from "../view/status.ts";

/** Show where you are and how to go on, on one screen */
export async function status(
  context: Context,
  options: OptionsOf<typeof SAVING.status>,
  output: Output,
): Promise<void> {
  const { status: found, state } = await verbs.status(projectOf(context, {}, output), options);
  output.result(found, () => statusText(found, state, { now: context.now(), output }));
}
