import { decide } from "../gate/decide.ts";
import { policyChanges, type PolicyChange } from "../policy/policy-changes.ts";
import { ruleFor, type Policy, type Tier } from "../policy/policy.ts";
import { policyOf } from "../state/governance-state.ts";
import type { JsonObject } from "../../../core/objects/json.ts";
import type { Project } from "../../../work/project/project.ts";
import { sayAsAuthority, type DecreeResult, type Signing } from "./authority.ts";
import { openGovernance } from "../project-gate/open-governance.ts";

export interface PolicyShown {
  /** Whether the authority accepted it, or it is the built-in one. */
  readonly source: "accepted" | "built-in";
  readonly policy: Policy;
}

/** The policy in force. */
export async function policyShow(project: Project): Promise<PolicyShown> {
  const { state } = (await openGovernance(project, "create")).ledger;
  return { source: state.policy === undefined ? "built-in" : "accepted", policy: policyOf(state) };
}

export type PolicyChecked = Awaited<ReturnType<typeof policyCheck>>;

/** What the policy in force says of an action: what one tier or each would be told, without anything else that counts. */
export async function policyCheck(project: Project, action: string, tier?: Tier) {
  const { policy } = await policyShow(project);
  const asked = tier === undefined ? ([0, 1, 2, 3, 4] as const) : [tier];
  const tiers = asked.map((each) => {
    const standing = { agent: `An agent at T${each}`, tier: each, attested: true, isRevoked: false };
    const { decision, reasons } = decide(policy, standing, { action });
    return { tier: each, decision, reasons };
  });
  return { action, rule: ruleFor(policy, action) ?? null, tiers };
}

/** Whether exactly these changes of the policy in force are wanted. */
export type ConfirmPolicy = (changes: readonly PolicyChange[]) => Promise<boolean>;

export interface PolicyAccepted extends DecreeResult, PolicyShown {
  readonly changes: readonly PolicyChange[];
}

/**
 * Puts the project's policy file into force, by the authority's word. Agents can write the file, so what changes is
 * confirmed first; what is signed is what was confirmed, whatever becomes of the file meanwhile. Undefined if it is not
 * wanted.
 */
export async function policyAccept(
  project: Project,
  signing: Signing,
  confirm: ConfirmPolicy,
): Promise<PolicyAccepted | undefined> {
  const governance = await openGovernance(project, "create");
  const { readPolicyFile } = await import("../policy/read-policy.ts");
  const { policy, file } = readPolicyFile(project.root);
  const changes = policyChanges(policyOf(governance.ledger.state), policy);
  if (!(await confirm(changes))) return undefined;
  const said = { type: "policy", agent: "person", policy, file } as unknown as JsonObject;
  return { ...(await sayAsAuthority(governance, said, signing)), source: "accepted", policy, changes };
}
