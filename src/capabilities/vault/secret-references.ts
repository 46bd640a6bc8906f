import type { Environment } from "../../work/machine/environment.ts";
import { CheckpointError } from "../../core/errors.ts";
import type { VaultClient } from "./vault-client.ts";

/** What was filled in, by the name of the variable. It must not be stored anywhere. */
export type ResolvedSecrets = Readonly<Record<string, string>>;

const REFERENCE = /^secret:\/\/([^#]+)#(.+)$/;

/** The parts of a project's secrets, with the tier that each needs. */
type Parts = Readonly<Record<string, number>>;
const PARTS: Parts = { agent: 1, run: 2, infra: 3 };

export interface SecretsOf {
  readonly vault: () => VaultClient | undefined;
  readonly project: string;
  readonly tier: number;
  readonly parts?: Parts;
}

/**
 * Fills in `secret://PART/PATH#KEY` where a variable is exactly that. A path is below `cairn/PROJECT`, so that an agent
 * cannot name any other secret; the tier is checked here, and again by the vault's own policy for the token.
 */
export async function resolveSecrets(
  env: Environment,
  { vault, project, tier, parts = PARTS }: SecretsOf,
): Promise<ResolvedSecrets> {
  const references = Object.entries(env).filter(([, value]) => value?.startsWith("secret://"));
  if (references.length === 0) return {};
  const client = vault();
  const missing = "A variable refers to a secret, and no vault is configured.";
  if (client === undefined)
    throw new CheckpointError("missing-dependency", missing, {
      hint: "Set $VAULT_ADDR and $VAULT_TOKEN.",
      details: { variables: references.map(([name]) => name) },
    });
  const resolved = await Promise.all(
    references.map(async ([name, value]) => {
      const { path, key } = parseReference(name, value as string, { tier, parts });
      return [name, await client.readSecret(`cairn/${project}/${path}`, key)] as const;
    }),
  );
  return Object.fromEntries(resolved);
}

function parseReference(name: string, value: string, { tier, parts }: { tier: number; parts: Parts }) {
  const [, path = "", key = ""] = REFERENCE.exec(value) ?? [];
  const [part = "", ...rest] = path.split("/");
  const needed = Object.hasOwn(parts, part) ? parts[part] : undefined;
  const isPlain = rest.length > 0 && rest.every((word) => word !== "" && word !== "." && word !== "..");
  if (needed === undefined || !isPlain || key === "")
    throw new CheckpointError("usage", `$${name} is not a reference to a secret.`, {
      hint: `It is secret://PART/PATH#KEY, where PART is ${Object.keys(parts).join(" or ")}.`,
      details: { variable: name },
    });
  if (tier < needed)
    throw new CheckpointError("refused", `$${name} needs T${needed}, and this is T${tier}.`, {
      hint: "checkpoint agent show",
      details: { refused: true, variable: name, needed, tier },
    });
  return { path, key };
}
