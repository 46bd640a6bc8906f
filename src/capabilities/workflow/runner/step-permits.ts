import type { Environment } from "../../../work/machine/environment.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { WorkflowContext } from "../context.ts";
import type { Step } from "../definition/types.ts";
import type { StepSecrets } from "../engine/step-environment.ts";

/** Who asks for steps, and where the secrets go that they get. */
export interface Asking extends Pick<WorkflowContext, "gate" | "env"> {
  readonly stepSecrets: StepSecrets;
}

interface PermitOptions {
  /** Whether no commit of this process records that the step starts: then the gate is asked for every step. */
  readonly isAlwaysAsked?: boolean;
}

/** Asks the gate for a step that concerns it, and keeps the secrets that it gets. Returns why it may not start. */
export async function whyNotStarted(
  step: Step,
  { gate, env, stepSecrets }: Asking,
  { isAlwaysAsked = false }: PermitOptions = {},
): Promise<string | undefined> {
  const names = [...referring(step.env), ...(gate === undefined ? [] : referring(env))];
  const concernsGate = step.action !== undefined || step.risk === "high" || names.length > 0;
  if (!concernsGate && !isAlwaysAsked) return undefined;
  if (gate === undefined)
    return names.length === 0 ? undefined : `$${names[0]} refers to a secret. ${NEEDS_GOVERNANCE}`;
  const permit = await gate(step);
  if ("refused" in permit) return permit.refused;
  stepSecrets.set(step.id, permit.secrets);
  return undefined;
}

const NEEDS_GOVERNANCE = "Only a governed project fills it in: governance: on in cairn.yaml.";

/** Fetches the secrets of steps that another runner started. Without them their output could not be cleaned. */
export async function learnSecrets(
  steps: readonly Step[],
  { gate, env, stepSecrets }: Asking,
): Promise<void> {
  for (const step of steps) {
    if (gate === undefined || referring({ ...env, ...step.env }).length === 0) continue;
    const permit = await gate(step, { hasStarted: true });
    if ("refused" in permit) throw notCleaned(step, permit.refused);
    stepSecrets.set(step.id, permit.secrets);
  }
}

/** The variables that are references to secrets, by name. */
function referring(env: Environment = {}): string[] {
  return Object.keys(env).filter((name) => env[name]?.startsWith("secret://"));
}

function notCleaned({ id }: Step, why: string): CheckpointError {
  return new CheckpointError("refused", `What step "${id}" printed cannot be cleaned of secrets: ${why}`, {
    hint: "Resume the run as an agent that may read its secrets, when the vault answers.",
    details: { step: id },
  });
}
