import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { writePrivate } from "../../../core/store/write-private.ts";
import { shellWord } from "../../../core/text/shell-word.ts";
import { keyFingerprint, signWith, type Signature } from "./signature.ts";
import { damaged, readPrivate, stateFile, type KeyOwner } from "./key-file.ts";

/** The key of this user on this machine. It shows tampering by those who cannot read it, and grants nothing. */
export interface MachineKey {
  readonly fingerprint: string;
  readonly publicKey: string;
  sign(text: string): Signature;
}

/** The machine's key, made when it is first needed, and durable before it signs anything. */
export function machineKey(owner: KeyOwner): MachineKey {
  const path = stateFile(owner, "keys", "machine.pem");
  const pem = readPrivate(path, owner) ?? makeKey(path, owner);
  return keyOf(parseKey(pem, path));
}

function parseKey(pem: string, path: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw damaged(path, "The key of this machine", damagedHint(path));
  }
}

/** A new key loses nothing that was recorded: each seal carries the public key that it was signed with. */
const damagedHint = (path: string) =>
  `Bring it back from a backup, or move it away, and a new one is made:\nmv ${shellWord(path)} ${shellWord(`${path}.damaged`)}\nThen check what the old one sealed: checkpoint ledger verify`;

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
