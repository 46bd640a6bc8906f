import { stringify } from "yaml";
import { EXIT_STATUS } from "../../errors.ts";
import * as verbs from "../../project/governance/policy.ts";
import type { CommandOf } from "../command.ts";
import { signingBy, tierOf } from "../governance/signing.ts";
import { decreed } from "./agent.ts";

export const policyShow: CommandOf<"policy show"> = async (context, _options, output) => {
  const shown = await verbs.policyShow(context.project);
  output.message(`The policy in force is ${shown.source}.`);
  output.result(shown, () => stringify(shown.policy).trimEnd());
};

export const policyCheck: CommandOf<"policy check"> = async (context, options, output) => {
  const checked = await verbs.policyCheck(context.project, options.action, tierOf(options.tier, "tier"));
  output.result(checked, () => answers(checked));
  return checked.tiers.every(({ decision }) => decision === "allow") ? 0 : EXIT_STATUS.refused;
};

export const policyExplain: CommandOf<"policy explain"> = async (context, options, output) => {
  const checked = await verbs.policyCheck(context.project, options.action);
  output.result(checked, () => {
    const rule =
      checked.rule === null ? "No rule matches, so it is denied." : stringify(checked.rule).trimEnd();
    return `${rule}\n\n${answers(checked)}`;
  });
};

function answers({ tiers }: verbs.PolicyChecked): string {
  return tiers
    .map(({ tier, decision, reasons }) => `T${tier}  ${decision.padEnd(5)}  ${reasons.join("; ")}`)
    .join("\n");
}

export const policyAccept: CommandOf<"policy accept"> = async (context, options, output) => {
  const {
    policy: accepted,
    source,
    ...said
  } = await verbs.policyAccept(context.project, signingBy(context, options, output));
  decreed(said, output, { policy: accepted, source }, `In force: ${accepted.actions.length} rules.`);
};
