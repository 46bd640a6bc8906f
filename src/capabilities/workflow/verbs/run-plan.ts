import type { WorkflowContext } from "../context.ts";
import type { Step, Workflow } from "../definition/types.ts";
import type { ResumeVerdict } from "../run/resume-check.ts";
import { resumePlanOf, type ResumePlan } from "../run/resume-plan.ts";
import { newRun, type Run } from "../run/run-state.ts";
import { isOver } from "../../../work/state/run-trail.ts";
import { examineRun } from "../runner/examine-run.ts";
import { planOf } from "../runner/find-runs.ts";
import { examineFork, type ForkOptions } from "../runner/fork-run.ts";
import { isDriven } from "../runner/run-lease.ts";
import { trustOfRun } from "./run-trust.ts";

/** What would be done, and why: of a run that could go on, or of one that does not exist yet. */
export interface RunPlan extends Omit<ResumePlan, "run_id"> {
  /** Null for a run that would be new. */
  readonly run_id: string | null;
  /** The run that the new one would be forked from. */
  readonly forked_from: string | null;
  /** Whether that run is unfinished, and would end: the new one would do what is left. */
  readonly ends_origin: boolean;
  readonly resume_check: ResumeVerdict | null;
  /** Files of results that would be dropped. */
  readonly stale_files: readonly string[];
}

/** What a new run of a workflow would do. */
export function freshPlan(
  { name, steps }: Workflow,
  inputs: Readonly<Record<string, string>>,
  now: Date,
): RunPlan {
  const plan = resumePlanOf(newRun({ id: name, workflow: name, definition: steps, inputs, now }));
  return {
    ...plan,
    run_id: null,
    forked_from: null,
    ends_origin: false,
    resume_check: null,
    stale_files: [],
  };
}

export interface PlanOptions {
  readonly fork?: ForkOptions | undefined;
  /** The definition that it would be moved to. */
  readonly workflow?: Workflow | undefined;
}

/** What going on with a run, or with a fork of it, would do; with the steps that it would follow. */
export async function planOfRun(
  workflows: WorkflowContext,
  run: Run,
  { fork, workflow: given }: PlanOptions,
): Promise<{ readonly plan: RunPlan; readonly definition: readonly Step[] }> {
  const { isTrusted, workflow } = await trustOfRun(workflows, run);
  const options = { isTrusted, workflow: given ?? workflow };
  const examined =
    fork === undefined
      ? await examineRun(workflows, run.id, { ...options, as: run })
      : await examineFork(workflows, run.id, fork, options);
  const { plan, definition } = planOf(examined);
  const names =
    fork === undefined
      ? { run_id: run.id, forked_from: null, ends_origin: false }
      : { run_id: null, forked_from: run.id, ends_origin: await wouldEnd(workflows, run) };
  return { plan: { ...plan, ...names, stale_files: examined.run.stale_files ?? [] }, definition };
}

async function wouldEnd(workflows: WorkflowContext, run: Run): Promise<boolean> {
  return !isOver(run.status) && !(await isDriven(workflows, run));
}
