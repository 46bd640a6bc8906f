import { stringify } from "yaml";
import { CheckpointError, EXIT_STATUS } from "../../../core/errors.ts";
import type { PolicyChange } from "../policy/policy-changes.ts";
import { POLICY_FILE } from "../policy/policy.ts";
import * as verbs from "../verbs/policy.ts";
import type { GovernanceCommand } from "../verbs.ts";
import { oneLine } from "../../../core/text/visible.ts";
import { signingBy, tierOf } from "./signing.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { isConfirmed } from "../../../work/terminal/ask.ts";
import { decreed } from "./agent.ts";

export const policyShow: GovernanceCommand<"policy show"> = async (context, _options, output) => {
  const shown = await verbs.policyShow(context.project);
  output.message(`The policy in force is ${shown.source}.`);
  output.result(shown, () => stringify(shown.policy).trimEnd());
};

export const policyCheck: GovernanceCommand<"policy check"> = async (context, options, output) => {
  const checked = await verbs.policyCheck(context.project, options.action, tierOf(options.tier, "tier"));
  output.result(checked, () => answers(checked));
  return checked.tiers.every(({ decision }) => decision === "allow") ? 0 : EXIT_STATUS.refused;
};

export const policyExplain: GovernanceCommand<"policy explain"> = async (context, options, output) => {
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

export const policyAccept: GovernanceCommand<"policy accept"> = async (context, options, output) => {
  const signing = signingBy(context, options, output);
  const accepted = await verbs.policyAccept(context.project, signing, async (changes) => {
    showChanges(changes, output);
    // What is only printed to be signed elsewhere puts nothing into force.
    if (options.yes || options.unsigned) return true;
    return isConfirmed(context, output, "Put this policy into force?", needsYes());
  });
  if (accepted === undefined) return;
  const { policy, source, changes, ...said } = accepted;
  decreed(said, output, { policy, source, changes }, `In force: ${policy.actions.length} rules.`);
};

const MARKS = { same: " ", removed: "-", added: "+" } as const;

/** Rules that stay are shown too: the first that matches counts, so a rule's place matters. */
function showChanges(changes: readonly PolicyChange[], output: Output): void {
  const { red, green } = output.messageStyle;
  const shown = { same: String, removed: red, added: green } as const;
  const changed = changes.filter(({ kind }) => kind !== "same").length;
  output.message(
    changed === 0
      ? "The file says what is in force already."
      : `What changes from the policy in force to ${POLICY_FILE}:`,
  );
  if (changed === 0) return;
  for (const { kind, line } of changes) output.message(shown[kind](`  ${MARKS[kind]} ${oneLine(line)}`));
}

function needsYes(): CheckpointError {
  return new CheckpointError("refused", "A policy is put into force only after a yes to what it changes.", {
    hint: "Read the changes, then: checkpoint policy accept --yes",
  });
}
