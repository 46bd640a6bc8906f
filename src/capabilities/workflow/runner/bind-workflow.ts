import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import { defined } from "../../../work/yaml/defined.ts";
import { checkInputs, recordedInputs } from "../definition/inputs.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import type { Step, Workflow } from "../definition/types.ts";
import { isUnbound, stepsWith, type Run } from "../run/run-state.ts";
import { changeRun } from "./change-run.ts";

/**
 * Gives the steps of an imported pipeline something to run: those of a workflow, by their names. What is done stays
 * done. Steps that only the workflow has are to come; steps that it does not have are not.
 */
export async function bindWorkflow(
  context: Pick<WorkflowContext, "cairn">,
  id: string,
  { workflow, inputs }: BindOptions,
): Promise<Run> {
  return changeRun(context, id, async (run) => {
    const next = bound(run, { workflow, inputs });
    return next === run
      ? undefined
      : { run: next, trigger: "run", notes: `${next.workflow}: runs the imported ${run.workflow}` };
  });
}

export interface BindOptions {
  readonly workflow: Workflow;
  readonly inputs: Readonly<Record<string, string>>;
}

/** The run with the workflow's steps. Pure. The same again if it has got them before. */
export function bound(run: Run, { workflow, inputs }: BindOptions): Run {
  const { name, file, jobs = run.jobs, steps } = workflow;
  if (!isUnbound(run)) {
    if (run.file === file && run.workflow === name) return run;
    throw alreadyBound(run);
  }
  const [asked] = stepsWith(run, "awaiting_approval");
  if (asked !== undefined) throw notAnswered(run, asked);
  if (!steps.some((step) => run.definition.some(({ id }) => id === step.id)))
    throw noStepInCommon(run, workflow);
  const given = { ...requestFor(workflow, run), ...inputs };
  const recorded = recordedInputs(checkInputs(workflow, given), given);
  return { ...run, ...recorded, workflow: name, jobs, definition: steps, ...defined({ file }) };
}

/** What was asked for there is asked for here, whatever the workflow's default says. */
function requestFor({ inputs }: Workflow, { request }: Run): Record<string, string> {
  const isAsked = Object.hasOwn(inputs, "request") && !inputs["request"]!.secret;
  return isAsked && request !== undefined ? { request } : {};
}

function alreadyBound({ id, file, workflow }: Run): CheckpointError {
  const message = `Run "${id}" already has a workflow, "${workflow}": --workflow is for pipelines that were imported.`;
  return new CheckpointError("usage", message, {
    hint: `${file === undefined ? "To" : `To change what is not done yet, edit ${file}; to`} continue: checkpoint resume ${id}`,
    details: { run: id, workflow },
  });
}

function notAnswered({ id }: Run, { question, options = [] }: Step): CheckpointError {
  return new CheckpointError("refused", `Run "${id}" waits for an answer: ${question}`, {
    hint: `checkpoint approve ${id}${options.length === 0 ? "" : ` --choose ${options.map(shellWord).join("|")}`}`,
    details: { run: id },
  });
}

function noStepInCommon({ id, definition }: Run, { name }: Workflow): CheckpointError {
  const names = definition.map((step) => step.id);
  return new CheckpointError("usage", `No step of workflow "${name}" is called like one of run "${id}".`, {
    hint: `Steps are matched by name. Its steps are ${names.join(", ")}.`,
    details: { run: id, steps: names },
  });
}
