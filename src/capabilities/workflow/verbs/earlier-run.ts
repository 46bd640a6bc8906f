import { CheckpointError, isCheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import type { Workflow } from "../definition/types.ts";
import type { Run } from "../run/run-state.ts";
import { readRun } from "../runner/examine-run.ts";
import { type RunSummary, summariesOfUnfinished, summarize } from "../runner/find-runs.ts";

/** A run of the same workflow that is there already. */
export interface EarlierRun {
  readonly run: Run;
  readonly summary: RunSummary;
}

interface EarlierRunOptions {
  readonly runId: string | undefined;
  readonly resumeStep: string | undefined;
  readonly fresh: boolean;
}

/**
 * The run with the name that was given, or the newest one of this workflow that could go on. A new name alone starts a
 * run beside others; with `fresh` the one before it is to be put aside.
 */
export async function findEarlierRun(
  workflows: WorkflowContext,
  { name, file }: Workflow,
  { runId, resumeStep, fresh }: EarlierRunOptions,
): Promise<EarlierRun | undefined> {
  if (runId !== undefined) {
    const named = await namedRun(workflows, runId, name);
    if (named !== undefined || !fresh) return named;
  }
  const mayBe = (run: RunSummary) =>
    (run.can_resume && (runId === undefined || run.status !== "running")) ||
    (resumeStep !== undefined && run.status === "completed");
  // Another file may call its workflow the same.
  const isOfFile = (run: RunSummary) =>
    run.workflow === name && (run.file === null || run.file === (file ?? null));
  for await (const summary of summariesOfUnfinished(workflows))
    if (isOfFile(summary) && mayBe(summary)) return { summary, run: await readRun(workflows, summary.id) };
  return undefined;
}

async function namedRun(
  workflows: WorkflowContext,
  id: string,
  workflow: string,
): Promise<EarlierRun | undefined> {
  let run: Run;
  try {
    run = await readRun(workflows, id);
  } catch (error) {
    if (isCheckpointError(error, "not-found")) return undefined;
    throw error;
  }
  if (run.workflow !== workflow) {
    throw new CheckpointError("conflict", `Run "${id}" is one of workflow "${run.workflow}".`, {
      hint: "Choose another name with --run-id.",
      details: { run: id, workflow: run.workflow },
    });
  }
  return { run, summary: await summarize(workflows, run) };
}
