import type { Policy, Tier } from "../policy/policy.ts";
import type { AgentRecord } from "./governance-state.ts";

const HOUR_MS = 3_600_000;

/**
 * The tier that an agent has earned by the policy's rules; undefined if it is not above its own. The built-in policy
 * goes up to T1; a rule that goes higher stands in a policy that the authority signed, as every accepted one is.
 */
export function earnedTier(policy: Policy, agent: AgentRecord, at: string): Tier | undefined {
  if (agent.is_revoked) return undefined;
  const rule = policy.promotions.find(
    ({ to, clean_actions, hours = 0, evidence = 0 }) =>
      to === agent.tier + 1 &&
      agent.clean_actions >= clean_actions &&
      agent.evidence >= evidence &&
      Date.parse(at) - Date.parse(agent.since) >= hours * HOUR_MS,
  );
  return rule?.to;
}
