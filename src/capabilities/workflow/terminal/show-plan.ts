import { planOfRun, type PlanOptions } from "../verbs/run-plan.ts";
import type { WorkflowContext } from "../context.ts";
import type { Run } from "../run/run-state.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { planText } from "./plan.ts";

/** Prints what going on with a run, or with a fork of it, would do. Returns the exit status that going on would end with if refused. */
export async function showPlan(
  workflows: WorkflowContext,
  run: Run,
  options: PlanOptions,
  output: Output,
): Promise<number> {
  const { plan, definition } = await planOfRun(workflows, run, options);
  output.result({ run: null, plan }, () => planText(plan, definition, output));
  return plan.resume_check?.exit_status ?? 0;
}
