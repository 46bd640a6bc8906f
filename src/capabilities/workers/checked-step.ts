import type { WorkflowContext } from "../workflow/context.ts";
import type { Step, StepFunction, Workflow } from "../workflow/definition/types.ts";
import { inputVariable } from "../workflow/engine/step-environment.ts";
import { stepOf, type Run } from "../workflow/run/run-state.ts";
import type { CommitWorkflows } from "./commit-workflows.ts";
import { knowsCommit } from "./worktree.ts";

/** A step as this worker knows it, or why it cannot run it. */
export type CheckedStep =
  | {
      readonly step: Step;
      readonly functions: ReadonlyMap<string, StepFunction>;
      readonly secrets: Readonly<Record<string, string>>;
    }
  | { readonly refusal: string };

export interface TrustOptions {
  /** Workflows of the program that the worker is part of. */
  readonly workflows?: readonly Workflow[] | undefined;
  /** Runs whatever the store says. */
  readonly trustStore?: boolean | undefined;
}

/**
 * Everyone who can write to the store can name commands. So a worker runs a step only as the run's own commit defines it, and
 * only if that commit is part of its own history; and secrets are its own too.
 */
export async function checkStep(
  context: WorkflowContext,
  run: Run,
  id: string,
  {
    workflows = [],
    trustStore = false,
    definitions,
  }: TrustOptions & { readonly definitions: CommitWorkflows },
): Promise<CheckedStep> {
  const commit = run.git_head?.slice(0, 12);
  // Before anything of that commit is loaded.
  if (!trustStore && !(await knowsCommit(context, run.git_head)))
    return { refusal: `commit ${commit} of run "${run.id}" is not part of this checkout: update it` };
  const stored = stepOf(run, id)!;
  let workflow = workflows.find(({ name }) => name === run.workflow);
  try {
    workflow ??= await definitions.workflowOf(run);
  } catch (error) {
    if (!trustStore) return { refusal: `commit ${commit} of run "${run.id}": ${(error as Error).message}` };
  }
  const own = workflow?.steps.find((step) => step.id === id);
  const step = own?.fingerprint === stored.fingerprint ? own : trustStore ? stored : undefined;
  if (step === undefined)
    return {
      refusal: `"${run.file ?? run.workflow}"${commit === undefined ? "" : ` of commit ${commit}`} does not define step "${id}" as run "${run.id}" does`,
    };
  if (step.kind === "function" && !workflow?.functions.has(id))
    return { refusal: `step "${id}" of run "${run.id}" is a function, and its program is not here` };
  const secrets: Record<string, string> = {};
  for (const name of run.secret_inputs) {
    const value = context.env[inputVariable(name)];
    if (value === undefined)
      return { refusal: `run "${run.id}" needs $${inputVariable(name)} in the worker's environment` };
    secrets[name] = value;
  }
  return { step, functions: workflow?.functions ?? new Map(), secrets };
}
