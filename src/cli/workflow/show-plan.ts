import type { WorkflowContext } from "../../workflow/context.ts";
import type { Run } from "../../workflow/run/run-state.ts";
import { examineRun } from "../../workflow/runner/examine-run.ts";
import { planOf } from "../../workflow/runner/find-runs.ts";
import { examineFork, type ForkOptions } from "../../workflow/runner/fork-run.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { trustIn } from "./confirm-trust.ts";
import { type Plan, planText } from "./plan.ts";

/** Says what going on with a run, or with a fork of it, would do. Returns what going on would be refused with. */
export async function showPlan(
  context: Context,
  workflows: WorkflowContext,
  run: Run,
  fork: ForkOptions | undefined,
  output: Output,
): Promise<number> {
  const { isTrusted, workflow } = await trustIn(context, workflows, run);
  const options = { isTrusted, workflow };
  const examined =
    fork === undefined
      ? await examineRun(workflows, run.id, options)
      : await examineFork(workflows, run.id, fork, options);
  const { plan: found, definition } = planOf(examined);
  const plan: Plan = { ...found, stale_files: examined.run.stale_files ?? [] };
  output.result({ run: null, plan }, () => planText(plan, definition, output));
  return plan.gate?.exit_status ?? 0;
}
