import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { keyFingerprint, signWith, type Signature } from "./signature.ts";
import { readPrivate, stateFile, writePrivate, type KeyOwner } from "./key-file.ts";

/** The key of this user on this machine. It shows tampering by those who cannot read it, and grants nothing. */
export interface MachineKey {
  readonly fingerprint: string;
  readonly publicKey: string;
  sign(text: string): Signature;
}

/** The machine's key, made when it is first needed. */
export function machineKey(owner: KeyOwner): MachineKey {
  const path = stateFile(owner, "keys", "machine.pem");
  const pem = readPrivate(path, owner) ?? makeKey(path, owner);
  return keyOf(createPrivateKey(pem));
}

function makeKey(path: string, owner: KeyOwner): string {
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }) as string;
  // Another process may have been quicker: its key is the one.
  return writePrivate(path, pem, { isNew: true }) ? pem : (readPrivate(path, owner) ?? pem);
}

function keyOf(privateKey: KeyObject): MachineKey {
  const publicKey = createPublicKey(privateKey);
  const fingerprint = keyFingerprint(publicKey);
  return {
    fingerprint,
    publicKey: publicKey.export({ format: "pem", type: "spki" }) as string,
    sign: (text) => ({ key: fingerprint, signature: signWith(privateKey, text) }),
  };
}
