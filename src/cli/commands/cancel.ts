import { oneLine } from "../../text/visible.ts";
import type { CommandOf } from "../command.ts";
import { statusText } from "../view/signs.ts";
import { count } from "../../text/words.ts";
import { runCancel } from "../../project/runs/put-aside.ts";

export const cancel: CommandOf<"cancel"> = async (context, options, output) => {
  const { run, was } = await runCancel(context.project, options);
  if (run.status === was) output.message(`It was already ${was}; nothing was changed.`);
  output.result({ run }, () => {
    const { run_id, status, completed, total } = run;
    return `${output.style.bold(oneLine(run_id))}  ${statusText(status, output.style)}  ${completed} of ${count(total, "step")}`;
  });
};
