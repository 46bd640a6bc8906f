import type { WorkflowCommand } from "../verbs.ts";
import { outcomeHead } from "../terminal/outcome.ts";
import { runSignal } from "../verbs/signal.ts";

export const signal: WorkflowCommand<"signal"> = async (context, options, output) => {
  const sent = await runSignal(context.project, options);
  if (!sent.is_new) output.message("It was sent before; nothing was changed.");
  output.result(sent, () => outcomeHead(sent.run, output.style));
};
