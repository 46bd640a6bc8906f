import { createPublicKey } from "node:crypto";
import type { Signer } from "./signature.ts";
import type { VaultClient } from "../../vault/vault-client.ts";

/** The DER form of an Ed25519 public key is this and its 32 bytes. */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A key that never leaves the vault. Signatures are checked without it. */
export async function transitSigner(vault: VaultClient, name: string): Promise<Signer> {
  const bare = Buffer.from(await vault.publicKey(name), "base64");
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, bare]), format: "der", type: "spki" });
  return {
    publicKey: key.export({ format: "pem", type: "spki" }) as string,
    sign: (text) => vault.sign(name, text),
  };
}
