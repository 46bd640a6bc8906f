import { isCheckpointError } from "../../../core/errors.ts";
import type { GatedStep, StepPermit } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { openGovernance } from "./open-governance.ts";
import { preflight } from "./preflight.ts";
import { secretsFor } from "./secrets.ts";

/**
 * Asks the gate for a step of a run, fills in its secrets, and records that it starts. What cannot be filled in is not
 * started. For a step that has started already it only fills in.
 */
export async function gateStep(
  project: Project,
  step: GatedStep,
  { hasStarted = false }: { readonly hasStarted?: boolean } = {},
): Promise<StepPermit> {
  const governance = await openGovernance(project);
  const { action = "run.step", risk, fingerprint: digest } = step;
  try {
    const admission = await preflight(project, governance, { action, risk, digest });
    const answer = await governance.ask(admission);
    const mayRead = hasStarted || answer.decision === "allow";
    const secrets = mayRead
      ? await secretsFor(project, governance, { answer, env: { ...project.env, ...step.env } })
      : {};
    if (!hasStarted) await governance.act(admission);
    return { secrets };
  } catch (error) {
    // A reference that is wrong, or a vault that does not answer, fails the step and not its run.
    if (!isCheckpointError(error)) throw error;
    return { refused: `${error.message} ${error.hint ?? ""}`.trim() };
  }
}
