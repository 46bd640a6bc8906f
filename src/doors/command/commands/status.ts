import * as verbs from "../../../work/project/reading/status.ts";
import type { CommandOf } from "../command.ts";
import { statusScreen } from "../view/status.ts";

export const status: CommandOf<"status"> = async (context, options, output) => {
  const { status: found, state } = await verbs.status(context.project, options);
  output.result(found, () => statusScreen(found, state, { now: context.now(), output }));
};
