import { isAnswer, isRationed, ruleFor, type ActionRule, type Policy, type Risk } from "../policy/policy.ts";
import type { Asked } from "../state/entry.ts";
import { PERSON, type Standing } from "../state/standing.ts";

/** What was found out before deciding. Absent facts were not asked for, or are fine. */
export interface GateFacts {
  /** Actions in this hour. */
  readonly used?: number | undefined;
  /** The request that was approved for exactly this. */
  readonly approval?: string | undefined;
  readonly isTreeDirty?: boolean | undefined;
  /** Dependencies that do not answer, or whose breaker is open. */
  readonly unavailable?: readonly string[] | undefined;
  /** For an answer: the agents that asked, or started what asks. */
  readonly askers?: readonly string[] | undefined;
  /** For an answer: why it is not taken for a person's, in words. */
  readonly notPerson?: string | undefined;
}

export type GateQuestion = Asked & { readonly risk?: Risk | undefined };

export interface GateDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** Why not, or what it rests on. */
  readonly reasons: readonly string[];
  readonly risk: Risk;
  readonly approval?: string;
}

/** Whether an action may happen now. Pure: the same question and facts give the same answer. */
export function decide(
  policy: Policy,
  standing: Standing,
  question: GateQuestion,
  facts: GateFacts = {},
): GateDecision {
  const { agent, tier, isRevoked } = standing;
  const names = [question.action, ...(question.alias === undefined ? [] : [question.alias])];
  const rules = names.map((name) => ruleFor(policy, name));
  const known = rules.filter((rule) => rule !== undefined);
  const risk = question.risk === "high" || known.some((rule) => rule.risk === "high") ? "high" : "low";
  const deny = (reason: string): GateDecision => ({ decision: "deny", reasons: [reason], risk });
  if (isRevoked) return deny(`${agent} is revoked`);
  const unknown = names[rules.indexOf(undefined)];
  if (unknown !== undefined) return deny(`no rule of the policy matches "${unknown}"`);
  const budget = policy.budget_per_hour[tier] ?? 0;
  if (names.some(isRationed) && (facts.used ?? 0) >= budget)
    return deny(`${agent} has used its ${budget} actions of this hour`);
  const notAnswering = isAnswer(question.action) ? whyMayNotAnswer(known, standing, facts) : undefined;
  if (notAnswering !== undefined) return deny(notAnswering);
  const blocked = known.flatMap((rule) => preflight(rule, facts));
  if (blocked.length > 0) return { decision: "deny", reasons: blocked, risk };
  const { approval } = facts;
  // The tier of a rule for answers binds the agents that it names: a person answers at any.
  const isPersons = isAnswer(question.action) && agent === PERSON;
  const missing = isPersons ? [] : known.flatMap((rule) => whatIsMissing(rule, tier, approval));
  if (missing.length === 0)
    return { decision: "allow", reasons: [`T${tier} may do this`], risk, ...(approval ? { approval } : {}) };
  // What nobody can approve is not worth asking for.
  const canAsk = known.every((rule) => tier >= rule.tier || rule.approval === "authority");
  return { decision: canAsk ? "ask" : "deny", reasons: missing, risk };
}

/** A person answers. An agent does so where the policy names it, and never what it asked for or started itself. */
function whyMayNotAnswer(
  rules: readonly ActionRule[],
  { agent, attested }: Standing,
  { askers = [], notPerson }: GateFacts,
): string | undefined {
  if (agent === PERSON) return undefined;
  if (askers.includes(agent)) return `${agent} asked for it, and a person answers`;
  const isNamed = rules.every(({ approvers = [] }) => approvers.includes(agent));
  if (isNamed && attested) return undefined;
  return isNamed ? `${agent} has not shown its token` : (notPerson ?? "a person answers it");
}

function preflight({ needs = [], clean_tree = false }: ActionRule, facts: GateFacts): string[] {
  const down = needs.filter((name) => facts.unavailable?.includes(name));
  return [
    ...down.map((name) => `${name} is not available`),
    ...(clean_tree && facts.isTreeDirty === true ? ["there are uncommitted changes"] : []),
  ];
}

const APPROVERS = { person: "a person", authority: "the authority" } as const;

/** An approval by the authority stands in for the tier, for the one action that it was given for. */
function whatIsMissing(rule: ActionRule, tier: number, approval: string | undefined): string[] {
  if (approval !== undefined) return [];
  const needed = rule.approval ?? "none";
  return [
    ...(tier < rule.tier ? [`it needs T${rule.tier}, and this is T${tier}`] : []),
    ...(needed === "none" ? [] : [`it needs the approval of ${APPROVERS[needed]}`]),
  ];
}
