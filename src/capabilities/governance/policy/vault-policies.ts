import { TIER_NAMES } from "./policy.ts";

export interface VaultPolicy {
  readonly name: string;
  /** Null for the authority's own: it is no tier, and no tier includes it. */
  readonly tier: number | null;
  /** In Vault's own language. */
  readonly text: string;
}

/**
 * One policy for each tier: each may do what the one below it may, and more. None may use the authority's key, because
 * whoever can have it sign can raise anybody: that is a policy of its own.
 */
export function vaultPolicies(project: string, transitKey: string): VaultPolicy[] {
  const secrets = (part: string) => `secret/data/cairn/${project}/${part}/*`;
  const added: readonly (readonly Rule[])[] = [
    [
      ["sys/health", ["read"]],
      [`transit/keys/${transitKey}`, ["read"]],
    ],
    [[secrets("agent"), ["read"]]],
    [
      [secrets("run"), ["read"]],
      [`transit/verify/${transitKey}`, ["update"]],
    ],
    [[secrets("infra"), ["read"]]],
    [
      [secrets("agent"), MANAGE],
      [secrets("run"), MANAGE],
      [secrets("infra"), MANAGE],
      [`secret/metadata/cairn/${project}/*`, [...MANAGE, "list"]],
    ],
  ];
  const tiers = added.map((_, tier) => {
    const text = textOf(`T${tier}: ${TIER_NAMES[tier]}`, added.slice(0, tier + 1).flat());
    return { name: `cairn-${project}-t${tier}`, tier, text };
  });
  const signing: readonly Rule[] = [
    ["sys/health", ["read"]],
    [`transit/keys/${transitKey}`, ["read"]],
    [`transit/sign/${transitKey}`, ["update"]],
  ];
  const text = textOf("The authority: give it to no agent", signing);
  return [...tiers, { name: `cairn-${project}-authority`, tier: null, text }];
}

type Rule = readonly [path: string, capabilities: readonly string[]];

function textOf(title: string, rules: readonly Rule[]): string {
  return `# ${title}\n${[...new Map(rules)].map((each) => rule(...each)).join("\n")}\n`;
}

const MANAGE = ["create", "read", "update", "delete"] as const;

function rule(path: string, capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} {\n  capabilities = [${capabilities.map((word) => `"${word}"`).join(", ")}]\n}`;
}
