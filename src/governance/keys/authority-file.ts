import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, scryptSync } from "node:crypto";
import { CheckpointError } from "../../errors.ts";
import { readPrivate, stateFile, writePrivate, type KeyOwner } from "./key-file.ts";
import { signWith, type Signer } from "./signature.ts";

/** An authority key behind a passphrase: PKCS #8, encrypted with what scrypt makes of the passphrase. */
interface AuthorityFile {
  readonly format: "cairn/authority-key@1";
  readonly scrypt: { readonly N: number; readonly r: number; readonly p: number; readonly salt: string };
  readonly public_key: string;
  readonly private_key: string;
}

/** 128 MB and about half a second for each guess. */
const COST = { N: 2 ** 17, r: 8, p: 1 };

const SHORTEST_PASSPHRASE = 12;

/** Makes an authority key. An earlier one stays beside it under the name of its number. */
export function makeAuthorityKey(owner: KeyOwner, passphrase: string, cost = COST): Signer {
  if (passphrase.length < SHORTEST_PASSPHRASE)
    throw new CheckpointError("usage", `A passphrase needs at least ${SHORTEST_PASSPHRASE} characters.`, {
      hint: "Four random words are easy to remember and hard to guess.",
    });
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const scrypt = { ...cost, salt: randomBytes(16).toString("base64") };
  const file: AuthorityFile = {
    format: "cairn/authority-key@1",
    scrypt,
    public_key: publicKey.export({ format: "pem", type: "spki" }) as string,
    private_key: privateKey.export({
      format: "pem",
      type: "pkcs8",
      cipher: "aes-256-cbc",
      passphrase: stretched(passphrase, scrypt),
    }) as string,
  };
  keepEarlier(owner);
  writePrivate(pathOf(owner), `${JSON.stringify(file, null, 2)}\n`);
  return { publicKey: file.public_key, sign: async (text) => signWith(privateKey, text) };
}

/** Opens the authority key with its passphrase. */
export function openAuthorityKey(owner: KeyOwner, passphrase: string): Signer {
  const { private_key, scrypt } = readAuthority(owner);
  let privateKey;
  try {
    privateKey = createPrivateKey({ key: private_key, passphrase: stretched(passphrase, scrypt) });
  } catch (cause) {
    throw new CheckpointError("refused", "This passphrase does not open the authority key.", {
      hint: "Only whoever answers for the agents should know it.",
      details: { path: pathOf(owner) },
      cause,
    });
  }
  const publicKey = createPublicKey(privateKey).export({ format: "pem", type: "spki" }) as string;
  return { publicKey, sign: async (text) => signWith(privateKey, text) };
}

export function readAuthority(owner: KeyOwner): AuthorityFile {
  const text = readPrivate(pathOf(owner), owner);
  if (text !== undefined) return JSON.parse(text) as AuthorityFile;
  throw new CheckpointError("not-found", "There is no authority key here.", {
    hint: "To make one: checkpoint authority init",
    details: { path: pathOf(owner) },
  });
}

function keepEarlier(owner: KeyOwner): void {
  const earlier = readPrivate(pathOf(owner), owner);
  if (earlier === undefined) return;
  for (let number = 1; ; number++)
    if (writePrivate(stateFile(owner, "keys", `authority-${number}.json`), earlier, { isNew: true })) return;
}

const pathOf = (owner: KeyOwner) => stateFile(owner, "keys", "authority.json");

function stretched(passphrase: string, { N, r, p, salt }: AuthorityFile["scrypt"]): string {
  const cost = { N, r, p, maxmem: 256 * N * r };
  return scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), 32, cost).toString("hex");
}
