import type { CommandOf } from "../command.ts";
import { outcomeHead } from "../view/outcome.ts";
import { runCancel } from "../../../capabilities/workflow/verbs/put-aside.ts";

export const cancel: CommandOf<"cancel"> = async (context, options, output) => {
  const { run, was } = await runCancel(context.project, options);
  if (run.status === was) output.message(`It was already ${was}; nothing was changed.`);
  output.result({ run }, () => outcomeHead(run, output.style));
};
