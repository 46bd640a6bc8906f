import { oneLine } from "../../text/visible.ts";
import type { WorkflowContext } from "../../workflow/context.ts";
import { decideRun, type Decided } from "../../workflow/runner/decide-run.ts";
import { runFolder } from "../../workflow/runner/run-folder.ts";
import { isLocked } from "../../workflow/runner/run-lock.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import type { OptionsOf } from "../spec.ts";
import type { WORKFLOWS } from "../table/workflows.ts";
import { decider } from "../workflow/decider.ts";
import { readKnownRun } from "../workflow/known-run.ts";
import { openWorkflowContext } from "../workflow/workflow-context.ts";

/** Say yes to a question of a run, from any terminal */
export async function approve(
  context: Context,
  options: OptionsOf<typeof WORKFLOWS.approve>,
  output: Output,
): Promise<void> {
  await decide(context, { ...options, approved: true }, output);
}

/** Say no to a question of a run: its step fails, with your reason */
export async function reject(
  context: Context,
  options: OptionsOf<typeof WORKFLOWS.reject>,
  output: Output,
): Promise<void> {
  await decide(context, { ...options, approved: false, choose: undefined }, output);
}

interface Decision extends OptionsOf<typeof WORKFLOWS.approve> {
  readonly approved: boolean;
}

async function decide(context: Context, options: Decision, output: Output): Promise<void> {
  const { approved, step, choose: option, reason } = options;
  const workflows = await openWorkflowContext(context, "change", output);
  const { id } = await readKnownRun(workflows, options.run);
  const who = decider(context, options.by);
  const decided = await decideRun(workflows, id, { approved, step, option, reason, ...who });
  const { isWatched, command } = next(workflows, decided);
  await workflows.cairn.close();
  for (const { path } of decided.changed)
    output.warning(
      `"${oneLine(path)}" has changed since the question was asked; this is about how it is now.`,
    );
  const { decision } = decided;
  output.result(
    { run_id: id, step: decided.step.id, decision, runner_alive: isWatched, go_on: command },
    () => {
      const what = approved ? output.style.green("approved") : output.style.red("rejected");
      const chosen = option === undefined ? "" : `: ${oneLine(option)}`;
      return `${oneLine(decided.step.id)}  ${what}${chosen}  by ${oneLine(decision.by)} (${IDENTITY[who.identity]})`;
    },
  );
  if (isWatched) output.message("Its runner is alive, and goes on by itself.");
  else if (approved) output.message(`To go on: ${command}`);
  else output.message(`To be asked again: ${command}. To end it for good: checkpoint cancel ${id}`);
}

const IDENTITY = {
  given: "as given",
  session: "the agent session",
  git: "as git says",
  user: "as the system says",
  unknown: "nobody knows who",
} as const;

function next(workflows: WorkflowContext, { run }: Decided): { isWatched: boolean; command: string } {
  return {
    isWatched: isLocked(runFolder(workflows, run.id), run.epoch),
    command: `checkpoint resume ${run.id}`,
  };
}
