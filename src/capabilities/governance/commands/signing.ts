import { readFileSync } from "node:fs";
import { CheckpointError } from "../../../core/errors.ts";
import type { KeyOwner } from "../keys/key-file.ts";
import type { Signer } from "../keys/signature.ts";
import type { Tier } from "../policy/policy.ts";
import type { Signing } from "../verbs/authority.ts";
import { vaultOf } from "../verbs/vault.ts";
import type { Context } from "../../../work/terminal/context.ts";
import type { Output } from "../../../work/terminal/output.ts";
import { askLine } from "../../../work/terminal/ask.ts";

export interface SigningOptions {
  readonly passphraseFile?: string | undefined;
  readonly vault?: string | undefined;
  readonly unsigned?: boolean | undefined;
}

export const ownerOf = ({ env, machine }: Context): KeyOwner => ({ env, userId: machine.userId });

/** Who signs, as the options say: the vault, whoever knows the passphrase, or nobody here. */
export function signingBy(context: Context, options: SigningOptions, output: Output): Signing {
  if (options.unsigned) return () => undefined;
  return (key) => signerOf(context, options, output, key);
}

/** @param key The fingerprint of the key that has to sign. */
export async function signerOf(
  context: Context,
  options: SigningOptions,
  output: Output,
  key: string | undefined,
): Promise<Signer> {
  if (options.vault !== undefined) return vaultSigner(context, options.vault);
  const { openAuthorityKey, readAuthority } = await import("../keys/authority-file.ts");
  if (key === undefined) throw noAuthority();
  // Nobody should type a passphrase for a key that is not there.
  readAuthority(ownerOf(context), key);
  const [passphrase = ""] = await passphrases(context, options, output, ["Passphrase of the authority: "]);
  return openAuthorityKey(ownerOf(context), passphrase, key);
}

export function noAuthority(): CheckpointError {
  return new CheckpointError("not-found", "This store has no authority yet.", {
    hint: "To make its key: checkpoint authority init",
  });
}

export async function vaultSigner(context: Context, key: string): Promise<Signer> {
  const { transitSigner } = await import("../keys/transit-signer.ts");
  return transitSigner(vaultOf(context), key);
}

/** The lines of the file, or what is typed for each question. What is typed is not shown. */
export async function passphrases(
  context: Context,
  { passphraseFile }: SigningOptions,
  output: Output,
  questions: readonly string[],
): Promise<string[]> {
  if (passphraseFile === "-") return linesOf(Buffer.from(await context.readInput()).toString("utf8"));
  if (passphraseFile !== undefined) return linesOf(readFileSync(passphraseFile, "utf8"));
  if (!context.isInteractive)
    throw new CheckpointError(
      "refused",
      "The authority's passphrase is needed, but there is no terminal to ask for it.",
      { hint: "Type this at a terminal, or: --passphrase-file FILE, --vault KEY, --unsigned" },
    );
  const typed: string[] = [];
  for (const question of questions)
    typed.push((await askLine(context, output, question, { isSecret: true })) ?? "");
  return typed;
}

const linesOf = (text: string) => text.split(/\r?\n/);

/** A tier, as the option of this name gives it. */
export function tierOf(tier: number | undefined, option: "to" | "tier" = "to"): Tier {
  if (tier !== undefined && tier <= 4) return tier as Tier;
  throw new CheckpointError("usage", `A tier is a number from 0 to 4: --${option} N`, {
    hint: "T0 observe, T1 work, T2 run, T3 infrastructure, T4 administer",
  });
}
