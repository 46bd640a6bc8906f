import { digestOf } from "../keys/signature.ts";
import type { Tier } from "../policy/policy.ts";
import { isDecreed } from "./decrees.ts";
import { knownAgent, type AgentRecord, type GovernanceState } from "./governance-state.ts";

/** Who asks to act, as a door knows it. */
export interface Claimant {
  /** The agent's id; undefined for a person. */
  readonly agent?: string | undefined;
  /** What shows that it is this agent. */
  readonly token?: string | undefined;
  /** Whether there is a terminal, which anybody can make. */
  readonly atTerminal?: boolean | undefined;
  /** The tier that it claims. Claiming more than it has is a violation. */
  readonly claimedTier?: number | undefined;
}

/** Who acts, and with what permission: from signed entries of the ledger, and from nothing else. */
export interface Standing {
  readonly agent: string;
  readonly tier: Tier;
  readonly attested: boolean;
  readonly isRevoked: boolean;
}

export const PERSON = "person";

/** The most that somebody gets without showing a token. */
export const UNATTESTED: Tier = 1;

export function standingOf(state: GovernanceState, storeId: string, claimant: Claimant): Standing {
  const { agent = PERSON, token, atTerminal = false } = claimant;
  const record = knownAgent(state, agent);
  const attested = record?.token !== undefined && token !== undefined && digestOf(token) === record.token;
  const isRevoked = record?.is_revoked ?? false;
  if (claimant.agent === undefined)
    return { agent, tier: atTerminal ? UNATTESTED : 0, attested: false, isRevoked: false };
  const tier = record === undefined ? 0 : provenTier(state, storeId, [agent, record]);
  return { agent, tier: attested ? tier : (Math.min(tier, UNATTESTED) as Tier), attested, isRevoked };
}

/** A tier above T1 needs the authority's signature, on the agent's own promotion or on the policy with the rule. */
export function provenTier(
  state: GovernanceState,
  storeId: string,
  [agent, { tier, grant }]: readonly [string, AgentRecord],
): Tier {
  if (tier <= 1) return tier;
  const isOwn = grant?.agent === agent && isDecreed(state, storeId, grant);
  const granted = isOwn && "to" in grant ? grant.to : 0;
  if (granted >= tier) return tier;
  const { policy } = state;
  const isOrdered =
    isDecreed(state, storeId, policy) && policy?.policy.promotions.some(({ to }) => to >= tier);
  return isOrdered ? tier : 1;
}
