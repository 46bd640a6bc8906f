import type { WorkflowContext } from "../../workflow/context.ts";
import { resumePlanOf } from "../../workflow/run/resume-plan.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import { resumePlan } from "../../workflow/runner/find-runs.ts";
import { type ForkOptions, previewFork } from "../../workflow/runner/fork-run.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { type Plan, planText } from "./plan.ts";
import { isTrusted } from "./trust.ts";

/** Says what going on with a run, or with a fork of it, would do. Returns what going on would be refused with. */
export async function showPlan(
  context: Context,
  workflows: WorkflowContext,
  run: Run,
  fork: ForkOptions | undefined,
  output: Output,
): Promise<number> {
  const target = fork === undefined ? run : await previewFork(workflows, run.id, fork);
  const plan: Plan =
    fork === undefined
      ? await resumePlan(workflows, run.id, { isTrusted: await isTrusted(context, workflows, run.id) })
      : { ...resumePlanOf(target), gate: null };
  await workflows.cairn.close();
  output.result({ run: null, plan }, () => planText(plan, target.definition, output));
  return plan.gate?.exit_status ?? 0;
}
