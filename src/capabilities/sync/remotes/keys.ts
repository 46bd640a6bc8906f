import { randomBytes } from "node:crypto";
import { statePath } from "../../../work/machine/folders.ts";
import { readIfAny } from "../../../work/machine/read-bounded.ts";
import { CheckpointError } from "../../../core/errors.ts";
import type { VaultClient } from "../../vault/vault-client.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { sealWith } from "../sealing.ts";
import type { RemoteSetup } from "../setup-document.ts";
import { parseJson, textOf } from "../../../core/text/untrusted.ts";
import { vaultClient } from "../../vault/project-vault.ts";
import type { Project } from "../../../work/project/project.ts";
import type { User } from "../../../work/project/remembered.ts";
import { noStateFolder } from "./known-remotes.ts";

const KEY_BYTES = 32;

/** How a key looks where people carry it. */
const FORMAT = "cairn-key-1";

/** A new key. It is kept nowhere yet. */
export const makeKey = (): Uint8Array => randomBytes(KEY_BYTES);

export const idOf = (key: Uint8Array) => sealWith(key).keyId as string;

/** The key as a text to carry to another machine. */
export async function keyText(project: Project, keyId: string): Promise<string> {
  return `${FORMAT} ${Buffer.from(await keyOf(project, keyId)).toString("base64url")}\n`;
}

/** The key that is kept here, else what a vault unwraps. */
export async function keyOf(project: Project, keyId: string): Promise<Uint8Array> {
  const key = readKey(project, keyId);
  if (key !== undefined) return key;
  const wrapped = wrappedKey(project, keyId);
  if (wrapped === undefined) throw noKey(keyId);
  return unwrapped(project, keyId, wrapped);
}

/**
 * Makes sure that what a remote is sealed with can be opened here. A wrapped key is kept, once the vault has shown that it is
 * the right one: a remote that loses its own copy gets it back from here.
 */
export async function acceptKey(project: Project, { keyId, wrapped }: RemoteSetup): Promise<void> {
  if (keyId === null || readKey(project, keyId) !== undefined) return;
  if (wrapped === undefined) throw noKey(keyId);
  await unwrapped(project, keyId, wrapped);
  writePrivate(wrappedPath(project, keyId), `${JSON.stringify(wrapped)}\n`);
}

/**
 * The key of a remote, encrypted by a Transit key that never leaves Vault. It says nothing to those who cannot ask that
 * vault, so it stands on the remote itself, and on each machine, in case the remote loses it.
 */
type WrappedKey = NonNullable<RemoteSetup["wrapped"]>;

/** The key as a vault has wrapped it, if one has. */
export function wrappedKey(user: User, keyId: string): WrappedKey | undefined {
  const kept = parseJson(readIfAny(wrappedPath(user, keyId))?.toString("utf8") ?? "");
  const [by, key] = [textOf(kept, "by"), textOf(kept, "key")];
  return by === undefined || key === undefined ? undefined : { by, key };
}

/** Wraps a key, and proves that it can be unwrapped again before anything depends on it. */
export async function wrapKey(project: Project, by: string, key: Uint8Array): Promise<WrappedKey> {
  const vault = vaultFor(project, by);
  const wrapped = { by, key: await vault.encrypt(by, key) };
  if (Buffer.from(await vault.decrypt(by, wrapped.key)).equals(key)) return wrapped;
  throw new CheckpointError("failed", `The Transit key "${by}" does not decrypt what it encrypted.`, {
    hint: `It must be able to do both: vault write -f transit/keys/${by}`,
  });
}

async function unwrapped(
  project: Project,
  keyId: string,
  { by, key: text }: WrappedKey,
): Promise<Uint8Array> {
  const key = await vaultFor(project, by).decrypt(by, text);
  if (isKey(key, keyId)) return key;
  throw new CheckpointError("corrupt", `"${by}" in Vault unwraps another key than ${keyId}.`, {
    hint: "The wrapped key was changed. With a copy of the key itself: checkpoint key import FILE",
    details: { key_id: keyId, by },
  });
}

function vaultFor(project: Project, by: string): VaultClient {
  const vault = vaultClient(project);
  if (vault !== undefined) return vault;
  throw new CheckpointError("missing-dependency", `The key of the remote is wrapped by "${by}" in Vault.`, {
    hint: "Set $VAULT_ADDR and $VAULT_TOKEN. If you have a copy of the key itself: checkpoint key import FILE",
    details: { by },
  });
}

/** Keeps a key that was carried here, and returns its id. */
export function keepKeyText(user: User, text: string): string {
  const [format, encoded = "", ...rest] = text.trim().split(/\s+/);
  const key = Buffer.from(encoded, "base64url");
  if (format === FORMAT && key.length === KEY_BYTES && rest.length === 0) return keepKey(user, key);
  throw new CheckpointError("usage", "This is not a key.", {
    hint: "On a machine that has it: checkpoint key export > cairn.key",
  });
}

/** Keeps a key for this user alone, and returns its id. */
export function keepKey(user: User, key: Uint8Array): string {
  const keyId = idOf(key);
  // The same key may be there already, because its name follows from it; unless that file was damaged.
  if (!writePrivate(pathOf(user, keyId), key, { isNew: true })) readKey(user, keyId);
  return keyId;
}

const wrappedPath = (user: User, keyId: string) => `${pathOf(user, keyId)}.wrapped`;

function readKey(user: User, keyId: string): Uint8Array | undefined {
  const key = readIfAny(pathOf(user, keyId));
  if (key === undefined || isKey(key, keyId)) return key;
  throw new CheckpointError("corrupt", `The key ${keyId} on this machine is damaged.`, {
    hint: "Move its file away and bring the key over again: checkpoint key import FILE",
    details: { path: pathOf(user, keyId) },
  });
}

const isKey = (key: Uint8Array, keyId: string) => key.length === KEY_BYTES && idOf(key) === keyId;

function pathOf({ env }: User, keyId: string): string {
  if (!/^[0-9a-f]{16}$/.test(keyId)) throw noKey(keyId.slice(0, 40));
  return statePath(env, "keys", keyId) ?? noStateFolder();
}

function noKey(keyId: string): CheckpointError {
  return new CheckpointError("refused", `The remote is sealed with the key ${keyId}, which is not here.`, {
    hint: "On a machine that has it: checkpoint key export > cairn.key\nThen here: checkpoint key import cairn.key",
    details: { key_id: keyId },
  });
}
