import type { WorkflowContext } from "../../workflow/context.ts";
import type { Workflow } from "../../workflow/definition/types.ts";
import { cleanerFor } from "../../workflow/runner/clean-text.ts";
import { newRunId } from "../../workflow/runner/run-id.ts";
import { startRun } from "../../workflow/runner/start-run.ts";
import { checkInputs } from "../../workflow/definition/inputs.ts";
import type { Context } from "../context.ts";
import type { Output } from "../output.ts";
import { trustNewRun } from "../../project/trust.ts";
import { watchRun } from "./watch-run.ts";

export interface StartRequest {
  readonly workflow: Workflow;
  readonly inputs: Readonly<Record<string, string>>;
  readonly runId: string | undefined;
  readonly jobs: number | undefined;
}

/** Starts a new run, and stays with it to its end. */
export async function startFresh(
  context: Context,
  workflows: WorkflowContext,
  { workflow, inputs, jobs, runId = newRunId(workflow.name, context.now()) }: StartRequest,
  output: Output,
): Promise<number> {
  await trustNewRun(workflows, runId);
  const { mask } = cleanerFor(checkInputs(workflow, inputs).secret);
  const steps = { steps: workflow.steps, done: new Set<string>(), mask };
  return watchRun({ context, workflows, output }, steps, (watched) =>
    startRun(workflows, workflow, { ...watched, inputs, runId, jobs }),
  );
}
