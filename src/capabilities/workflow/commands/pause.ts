import type { WorkflowCommand } from "../verbs.ts";
import { outcomeHead } from "../terminal/outcome.ts";
import { runPause } from "../verbs/put-aside.ts";

export const pause: WorkflowCommand<"pause"> = async (context, options, output) => {
  const paused = await runPause(context.project, options);
  output.result(paused, () => outcomeHead(paused.run, output.style));
};
