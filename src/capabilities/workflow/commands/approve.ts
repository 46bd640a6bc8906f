import { identityWords } from "../../../work/state/run-words.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { answer, type AnswerInput } from "../verbs/answer.ts";
import type { WorkflowCommand } from "../verbs.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";

export const approve: WorkflowCommand<"approve"> = async (context, options, output) => {
  await decide(context, { ...options, option: options.choose, approved: true }, output);
};

export const reject: WorkflowCommand<"reject"> = async (context, options, output) => {
  await decide(context, { ...options, approved: false }, output);
};

async function decide(context: Context, input: AnswerInput, output: Output): Promise<void> {
  const { approved, option } = input;
  const { decider, changed, runs_on, ...result } = await answer(context.project, input);
  const { run_id: id, decision, runner_alive, go_on } = result;
  for (const { path } of changed)
    output.warning(
      `"${oneLine(path)}" has changed since the question was asked; your answer covers it as it is now.`,
    );
  output.result(result, () => {
    const what = approved ? output.style.green("approved") : output.style.red("rejected");
    const chosen = option === undefined ? "" : `: ${oneLine(option)}`;
    return `${oneLine(result.step)}  ${what}${chosen}  by ${oneLine(decision.by)} (${identityWords(decider)})`;
  });
  const runner =
    runs_on === "workers" ? "Workers continue it" : "Its runner is alive and continues by itself";
  if (runner_alive) output.message(`${runner}.`);
  else if (approved) output.message(`To continue: ${go_on}`);
  else output.message(`To be asked again: ${go_on}. To end it for good: checkpoint cancel ${id}`);
}
