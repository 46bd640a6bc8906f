import type { Environment } from "../../../work/machine/environment.ts";
import type { Governance } from "../gate/governance.ts";
import type { GateAnswer } from "../gate/refusal.ts";
import { ruleFor, type Tier } from "../policy/policy.ts";
import { policyOf } from "../state/governance-state.ts";
import { resolveSecrets, type ResolvedSecrets } from "../../vault/secret-references.ts";
import { vaultClient, vaultName } from "../../vault/project-vault.ts";
import type { Project } from "../../../work/project/project.ts";

/** Fills in what an environment refers to, for the tier that the gate has given. */
export async function secretsFor(
  project: Project,
  governance: Governance,
  { answer, env }: { readonly answer: GateAnswer; readonly env: Environment },
): Promise<ResolvedSecrets> {
  const tier = tierFor(governance, answer);
  return resolveSecrets(env, { vault: () => vaultClient(project), project: vaultName(project), tier });
}

/** An approval stands in for the tier, so it also opens the secrets of that tier. */
function tierFor({ ledger }: Governance, { tier, action, approval }: GateAnswer): Tier {
  const rule = ruleFor(policyOf(ledger.state), action);
  return approval === undefined || rule === undefined ? tier : (Math.max(tier, rule.tier) as Tier);
}

/** What a command is started with gets neither the agent's token nor the way to the vault. */
export function withoutOwnKeys(env: Environment): Environment {
  const own = /^(?:CHECKPOINT_AGENT_TOKEN|(?:VAULT|BAO)_(?:TOKEN|ROLE_ID|SECRET_ID))$/;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !own.test(name)));
}
