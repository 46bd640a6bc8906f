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
  /** `person`: anybody at a terminal; `authority`: signed with the authority key, for one use. */
  readonly approval?: "none" | "person" | "authority";
  /** Everything is committed to git. */
  readonly clean_tree?: boolean;
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

export function ruleFor({ actions }: Policy, action: string): ActionRule | undefined {
  return actions.find(({ match }) => isMatch(match, action));
}

/** Whether a pattern of action names matches: `*` stands for any characters, all else for itself. */
function isMatch(pattern: string, action: string): boolean {
  const [start = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === action;
  if (!action.startsWith(start)) return false; // Quicker than a RegExp, and most differ there.
  const parts = [start, ...rest].map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`, "s").test(action);
}
