import { isCheckpointError } from "../../errors.ts";
import type { GatedStep } from "../../workflow/context.ts";
import type { Project } from "../project.ts";
import { openGovernance } from "./open-governance.ts";
import { preflight } from "./preflight.ts";

/** Asks the gate for a step of a run, and records that it starts. Returns why it may not. */
export async function gateStep(project: Project, step: GatedStep): Promise<string | undefined> {
  const governance = await openGovernance(project);
  const { action = "run.step", risk, fingerprint: digest } = step;
  try {
    await governance.act(await preflight(project, governance, { action, risk, digest }));
    return undefined;
  } catch (error) {
    if (!isCheckpointError(error, "refused")) throw error;
    return `${error.message} ${error.hint ?? ""}`.trim();
  }
}
