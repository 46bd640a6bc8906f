import { TIER_NAMES } from "../policy/policy.ts";

export interface VaultPolicy {
  readonly name: string;
  readonly tier: number;
  /** In Vault's own language. */
  readonly text: string;
}

/** One policy for each tier: each may do what the one below it may, and more. */
export function vaultPolicies(project: string, transitKey: string): VaultPolicy[] {
  const secrets = (part: string) => `secret/data/cairn/${project}/${part}/*`;
  const added: readonly (readonly [path: string, capabilities: readonly string[]])[][] = [
    [
      ["sys/health", ["read"]],
      [`transit/keys/${transitKey}`, ["read"]],
    ],
    [[secrets("agent"), ["read"]]],
    [
      [secrets("run"), ["read"]],
      [`transit/verify/${transitKey}`, ["update"]],
    ],
    [
      [secrets("infra"), ["read"]],
      [`transit/sign/${transitKey}`, ["update"]],
    ],
    [
      [secrets("agent"), MANAGE],
      [secrets("run"), MANAGE],
      [secrets("infra"), MANAGE],
      [`secret/metadata/cairn/${project}/*`, [...MANAGE, "list"]],
    ],
  ];
  return added.map((_, tier) => {
    const paths = new Map(added.slice(0, tier + 1).flat());
    const rules = [...paths].map(([path, capabilities]) => rule(path, capabilities));
    const text = `# T${tier}: ${TIER_NAMES[tier]}\n${rules.join("\n")}\n`;
    return { name: `cairn-${project}-t${tier}`, tier, text };
  });
}

const MANAGE = ["create", "read", "update", "delete"] as const;

function rule(path: string, capabilities: readonly string[]): string {
  return `path ${JSON.stringify(path)} {\n  capabilities = [${capabilities.map((word) => `"${word}"`).join(", ")}]\n}`;
}
