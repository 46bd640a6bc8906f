import { createHash, createPublicKey, sign, verify, type KeyObject } from "node:crypto";
import type { Json, JsonObject } from "../../../core/objects/json.ts";
import type { LogHead } from "../../../core/store/contract.ts";

/** How far a whole log goes: its own chain, and those of trails that got entries since the last seal, sorted by trail. */
export type LedgerHead = LogHead & {
  readonly trails?: readonly (LogHead & { readonly trail: string })[] | undefined;
};

/** Who signed, by the fingerprint of the public key, and the signature in base64. */
export type Signature = { readonly key: string; readonly signature: string };

/** What signs: a key at hand, one behind a passphrase, or one that never leaves a vault. */
export interface Signer {
  /** PEM, as in every entry that names a key. */
  readonly publicKey: string;
  sign(text: string): Promise<string>;
}

/** The first 32 hex digits of the SHA-256 of a public key in DER form. */
export function keyFingerprint(publicKey: string | KeyObject): string {
  const key = typeof publicKey === "string" ? createPublicKey(publicKey) : publicKey;
  return digestOf(key.export({ format: "der", type: "spki" })).slice(0, 32);
}

export function digestOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

export function signWith(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString("base64");
}

/** Whether this key signed this text. A key or signature that cannot be read signed nothing. */
export function isSignedBy(publicKey: string, text: string, signature: unknown): boolean {
  if (typeof signature !== "string") return false;
  try {
    return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** What a machine key signs: how far the log of one store goes, and what else is said there. */
export function headText(storeId: string, { number, hash, trails }: LedgerHead, said?: Json): string {
  const head = `cairn/head@1\n${storeId}\n${number}\n${hash}`;
  const joined = trails === undefined ? head : `${head}\ntrails ${digestOf(JSON.stringify(trails))}`;
  return said === undefined ? joined : `${joined}\n${digestOf(JSON.stringify(said))}`;
}

/** What an authority key signs: the whole entry but its signature, for one store. */
export function statementText(storeId: string, entry: JsonObject): string {
  const { authority, ...statement } = entry;
  const key = (authority as JsonObject | undefined)?.["key"] ?? null;
  return `cairn/authority@1\n${storeId}\n${key as string}\n${JSON.stringify(statement)}`;
}
