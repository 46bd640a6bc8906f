import type { WorkflowCommand } from "../verbs.ts";
import { outcomeHead } from "../terminal/outcome.ts";
import { runCancel } from "../verbs/put-aside.ts";

export const cancel: WorkflowCommand<"cancel"> = async (context, options, output) => {
  const { run, was } = await runCancel(context.project, options);
  if (run.status === was) output.message(`It was already ${was}; nothing was changed.`);
  output.result({ run }, () => outcomeHead(run, output.style));
};
