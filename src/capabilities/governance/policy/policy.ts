/** The project's policy file. It says what should hold; what holds is what was accepted. */
export const POLICY_FILE = "cairn.policy.yaml";
export const MAX_POLICY_BYTES = 256 * 1024;

/** T0 observe, T1 work in the project, T2 run project commands, T3 change infrastructure, T4 administer. */
export type Tier = 0 | 1 | 2 | 3 | 4;

export const TIER_NAMES = ["observe", "work", "run", "infrastructure", "administer"] as const;

export type Risk = "low" | "high";

/** What one kind of action needs. The first rule whose pattern matches counts. */
export type ActionRule = {
  /** A name as `exec.npm`, with `*` for any characters. */
  readonly match: string;
  readonly tier: Tier;
  readonly risk?: Risk;
  /** `person`: any person, but not the agent that asked; `authority`: signed with the authority key, for one use. */
  readonly approval?: "none" | "person" | "authority";
  /** Everything is committed to git. */
  readonly clean_tree?: boolean;
  /** For `answer.*`: agents that may answer besides a person, once they have shown their token. */
  readonly approvers?: readonly string[];
  /** Declared dependencies that must answer, and whose breakers must be closed. */
  readonly needs?: readonly string[];
};

/** When an agent rises by itself. Above T1 it counts only in a policy that the authority key signed. */
type PromotionRule = {
  readonly to: Tier;
  /** Allowed actions since the last violation. */
  readonly clean_actions: number;
  /** Hours in the tier before. */
  readonly hours?: number;
  /** Evidence packages of commands that succeeded. */
  readonly evidence?: number;
};

export type Policy = {
  readonly actions: readonly ActionRule[];
  /** Actions per hour and agent, for T0 to T4. */
  readonly budget_per_hour: readonly number[];
  readonly promotions: readonly PromotionRule[];
};

/** In force until another policy is accepted. */
export const DEFAULT_POLICY: Policy = {
  actions: [
    { match: "look.*", tier: 0 },
    { match: "save", tier: 0 },
    // Whoever sees something wrong may stop it: taking permission away needs none.
    { match: "agent.*", tier: 0 },
    { match: "tool.read", tier: 0 },
    { match: "tool.*", tier: 1 },
    { match: "work.*", tier: 1 },
    { match: "history.*", tier: 1 },
    // Where to is decided by whoever added the remote.
    { match: "keep.push", tier: 0 },
    { match: "keep.*", tier: 1 },
    { match: "run.*", tier: 2 },
    { match: "infra.*.plan", tier: 2 },
    { match: "infra.*", tier: 3, risk: "high", approval: "authority" },
    { match: "exec.*", tier: 2 },
    { match: "admin.*", tier: 4, risk: "high", approval: "authority" },
  ],
  budget_per_hour: [600, 1200, 2400, 2400, 2400],
  promotions: [{ to: 1, clean_actions: 10 }],
};

/** What the hooks of an agent's client save: the agent's memory, which it keeps whatever else it is refused. */
export const CAPTURE = "session.capture";

/** Answers to what agents ask: `answer.run` for a question of a run, `answer.request` for a request that the gate recorded. */
export const isAnswer = (action: string) => action.startsWith("answer.");

/**
 * What must stay possible under every policy: keeping an agent's memory, answering it and stopping it. What a policy says
 * of all actions is not meant for these: only a rule that names their kind is.
 */
const OWN_ACTIONS: readonly ActionRule[] = [
  { match: CAPTURE, tier: 0 },
  { match: "answer.*", tier: 0 },
  { match: "agent.revoke", tier: 0 },
  { match: "agent.demote", tier: 0 },
];

export function ruleFor({ actions }: Policy, action: string): ActionRule | undefined {
  const isFor = ({ match }: ActionRule) => isMatch(match, action);
  const own = OWN_ACTIONS.find(isFor);
  if (own === undefined) return actions.find(isFor);
  const kind = action.slice(0, action.indexOf(".") + 1);
  return actions.find((rule) => rule.match.startsWith(kind) && isFor(rule)) ?? own;
}

/** Whether a pattern of action names matches: `*` stands for any characters, all else for itself. */
function isMatch(pattern: string, action: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === action;
  if (!action.startsWith(start)) return false; // Quicker than a RegExp, and most differ there.
  const parts = [start, ...rest].map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(action);
}

/** Whether an action counts against the hour's budget. Looking, stopping an agent and answering it must always be possible. */
export function isRationed(action: string): boolean {
  return (
    action !== CAPTURE &&
    !isAnswer(action) &&
    !/^(?:look\.|tool\.read$|agent\.(?:revoke|demote)$)/.test(action)
  );
}
