import { readIfAny } from "../../../work/machine/read-bounded.ts";
import type { VaultClient } from "../../vault/vault-client.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { RemoteSetup } from "../setup-document.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { parseJson, textOf } from "../../../core/text/untrusted.ts";
import { vaultClient } from "../../vault/project-vault.ts";
import type { Project } from "../../../work/project/project.ts";

/**
 * The key of a remote, encrypted by a Transit key that never leaves Vault. It says nothing to those who cannot ask that
 * vault, so it stands on the remote itself, and on each machine, in case the remote loses it.
 */
export type WrappedKey = NonNullable<RemoteSetup["wrapped"]>;

/** Wraps a key, and proves that it can be unwrapped again before anything depends on it. */
export async function wrapKey(project: Project, by: string, key: Uint8Array): Promise<WrappedKey> {
  const wrapped = { by, key: await vaultFor(project, by).encrypt(by, key) };
  if (Buffer.from(await unwrapKey(project, wrapped)).equals(key)) return wrapped;
  throw new CheckpointError("failed", `The Transit key "${by}" does not decrypt what it encrypted.`, {
    hint: `It must be able to do both: vault write -f transit/keys/${by}`,
  });
}

export function unwrapKey(project: Project, { by, key }: WrappedKey): Promise<Uint8Array> {
  return vaultFor(project, by).decrypt(by, key);
}

export function keepWrapped(path: string, wrapped: WrappedKey): void {
  writePrivate(path, `${JSON.stringify(wrapped)}\n`);
}

export function readWrapped(path: string): WrappedKey | undefined {
  const kept = parseJson(readIfAny(path)?.toString("utf8") ?? "");
  const [by, key] = [textOf(kept, "by"), textOf(kept, "key")];
  return by === undefined || key === undefined ? undefined : { by, key };
}

function vaultFor(project: Project, by: string): VaultClient {
  const vault = vaultClient(project);
  if (vault !== undefined) return vault;
  throw new CheckpointError("missing-dependency", `The key of the remote is wrapped by "${by}" in Vault.`, {
    hint: "Set $VAULT_ADDR and $VAULT_TOKEN. If you have a copy of the key itself: checkpoint key import FILE",
    details: { by },
  });
}
