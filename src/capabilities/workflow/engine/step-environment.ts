import type { WorkflowContext } from "../context.ts";
import type { Attempt } from "./engine.ts";
import { ATTEMPT_VARIABLE } from "./process-identity.ts";

/** What all steps of a run are started and checked with. */
export interface StepSurroundings extends Pick<WorkflowContext, "env" | "root" | "now" | "kill"> {
  /** Where the workflow's file is. */
  readonly workflowFolder: string;
  /** Values of secret inputs: they go into the environment and nowhere else. */
  readonly secrets: Readonly<Record<string, string>>;
  /** What a vault filled in for a step's environment, by the step's id. */
  readonly stepSecrets: StepSecrets;
  /** Removes the values of secret inputs and steps only: for results, which are otherwise kept exactly. */
  readonly mask: (text: string) => string;
  /** Also removes whatever looks like a secret: for what commands print. */
  readonly clean: (text: string) => string;
}

export type StepSecrets = Map<string, Readonly<Record<string, string>>>;

/** The variables of a step's command. Values reach it only through these and files, never inside a shell line. */
export function environmentOf(
  { step, run, folder, attempt }: Attempt,
  around: StepSurroundings,
): NodeJS.ProcessEnv {
  const inputs = { ...run.inputs, ...around.secrets, ...step.inputs };
  return {
    ...around.env,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value])),
    ...step.env,
    ...around.stepSecrets.get(step.id),
    CAIRN_RUN_ID: run.id,
    CAIRN_STEP_ID: step.id,
    CAIRN_ATTEMPT: String(attempt),
    [ATTEMPT_VARIABLE]: folder.path,
    CAIRN_RESULTS: folder.results,
    CAIRN_RESULT: folder.result,
    CAIRN_HANDOFF: folder.handoff,
    CAIRN_WORKFLOW_DIR: around.workflowFolder,
    CAIRN_ROOT: around.root,
    ...(step.agent !== undefined && { CAIRN_AGENT: step.agent }),
    ...(step.phase !== undefined && { CAIRN_PHASE: step.phase }),
  };
}

/** `feature-name` is `$INPUT_FEATURE_NAME`. */
export function inputVariable(name: string): string {
  return `INPUT_${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
