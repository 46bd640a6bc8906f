import { vaultPolicies, type VaultPolicy } from "../policy/vault-policies.ts";
import { vaultFrom, type VaultClient } from "../../vault/vault-client.ts";
import { CheckpointError } from "../../../core/errors.ts";
import { askGate } from "../../../work/project/gate.ts";
import type { Project } from "../../../work/project/project.ts";
import { vaultName } from "../../vault/project-vault.ts";

/** The Transit key that signs and encrypts for a project. */
const TRANSIT_KEY = "cairn";

/** One policy per tier for the vault; with `apply` they are written there. */
export async function vaultPoliciesFor(project: Project, apply: boolean): Promise<VaultPolicy[]> {
  const policies = vaultPolicies(vaultName(project), TRANSIT_KEY);
  if (!apply) return policies;
  await askGate(project, "agent.vault");
  const vault = vaultOf(project);
  for (const { name, text } of policies) await vault.writePolicy(name, text);
  return policies;
}

export function vaultOf({ env, now }: Pick<Project, "env" | "now">): VaultClient {
  const vault = vaultFrom(env, now);
  if (vault !== undefined) return vault;
  throw new CheckpointError("missing-dependency", "No vault is configured.", {
    hint: "Set $VAULT_ADDR and $VAULT_TOKEN, or $BAO_ADDR and $BAO_TOKEN.",
  });
}
