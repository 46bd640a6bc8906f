import * as verbs from "../../project/looking/status.ts";
import type { CommandOf } from "../command.ts";
import type { SAVING } from "../table/saving.ts";
import { statusScreen } from "../view/status.ts";

/** Show where you are and how to go on, on one screen */
export const status: CommandOf<typeof SAVING.status> = async (context, options, output) => {
  const { status: found, state } = await verbs.status(context.project, options);
  output.result(found, () => statusScreen(found, state, { now: context.now(), output }));
};
