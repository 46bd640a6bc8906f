import { vaultOf, vaultPoliciesFor } from "../verbs/vault.ts";
import type { GovernanceCommand } from "../verbs.ts";

export const vault: GovernanceCommand<"vault"> = async (context, _options, output) => {
  const found = await vaultOf(context).health();
  output.result({ version: null, ...found }, `The vault is ${found.status}.`);
  return found.status === "active" || found.status === "standby" ? 0 : 1;
};

export const vaultPolicies: GovernanceCommand<"vault policies"> = async (context, { apply }, output) => {
  const policies = await vaultPoliciesFor(context.project, apply);
  if (apply) output.message(`Written: ${policies.map(({ name }) => name).join(", ")}`);
  output.result({ applied: apply, policies }, () =>
    policies
      .map(({ name, text }) => `# ${name}\n${text}`)
      .join("\n")
      .trimEnd(),
  );
};
