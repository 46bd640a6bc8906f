import { EXIT_STATUS } from "../../../core/errors.ts";
import { gate as ask } from "../project-gate/preflight.ts";
import { oneLine } from "../../../core/text/visible.ts";
import type { GovernanceCommand } from "../verbs.ts";

export const gate: GovernanceCommand<"gate"> = async (context, { action }, output) => {
  const answer = await ask(context.project, { action });
  const { decision, agent, tier, attested, reasons, request } = answer;
  output.result(answer, () => {
    const who = `${oneLine(agent)} (T${tier}${attested ? "" : ", unattested"})`;
    return `${decision}  ${who}: ${reasons.map(oneLine).join("; ")}`;
  });
  if (request !== undefined) output.message(`It can be approved: checkpoint agent approve ${request}`);
  return decision === "allow" ? 0 : EXIT_STATUS.refused;
};
