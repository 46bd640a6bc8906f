import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, scryptSync } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { CheckpointError } from "../../../core/errors.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { isRecord, parseJson, textOf } from "../../../core/text/untrusted.ts";
import { damaged, readPrivate, stateFile, type KeyOwner } from "./key-file.ts";
import { isSignedBy, keyFingerprint, signWith, type Signer } from "./signature.ts";

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

/**
 * Makes an authority key in a file named after it, beside all earlier ones: which of them counts, each store's ledger
 * says. Returns once the file is durable and was opened again, so that a ledger never names a key that is not there.
 */
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
  const fingerprint = keyFingerprint(file.public_key);
  const path = stateFile(owner, "keys", `authority-${fingerprint}.json`);
  writePrivate(path, `${JSON.stringify(file, null, 2)}\n`);
  const signer = openAuthorityKey(owner, passphrase, fingerprint);
  if (signer.publicKey === file.public_key) return signer;
  throw damaged(path, "The key that was just written", "Check the disk: nothing depends on this key yet.");
}

/** Opens an authority key with its passphrase. */
export function openAuthorityKey(owner: KeyOwner, passphrase: string, fingerprint: string): Signer {
  const { path, public_key, private_key, scrypt } = readAuthority(owner, fingerprint);
  let privateKey;
  try {
    privateKey = createPrivateKey({ key: private_key, passphrase: stretched(passphrase, scrypt) });
  } catch (cause) {
    throw new CheckpointError("refused", "This passphrase does not open the authority key.", {
      hint: "Only the person who answers for the agents should know it.",
      details: { path },
      cause,
    });
  }
  // A file whose two halves do not belong together would sign what no ledger accepts.
  if (!isSignedBy(public_key, path, signWith(privateKey, path))) throw damagedKey(path);
  return { publicKey: public_key, sign: async (text) => signWith(privateKey, text) };
}

/** The file of the authority key with this fingerprint. */
export function readAuthority(
  owner: KeyOwner,
  fingerprint: string,
): AuthorityFile & { readonly path: string } {
  const files = authorityFiles(owner);
  const found = files.find(({ file }) => file && keyFingerprint(file.public_key) === fingerprint);
  if (found?.file !== undefined) return { ...found.file, path: found.path };
  const unreadable = files.find(({ file }) => file === undefined);
  // It may be the one that is looked for.
  if (unreadable !== undefined) throw damagedKey(unreadable.path);
  throw new CheckpointError("not-found", `The authority key ${fingerprint} is not here.`, {
    hint: "Where it is, sign what --unsigned prints: checkpoint authority sign FILE",
    details: { path: stateFile(owner, "keys", `authority-${fingerprint}.json`) },
  });
}

/** The fingerprints of all authority keys that are here. */
export function authorityKeys(owner: KeyOwner): string[] {
  return authorityFiles(owner).flatMap(({ file }) => (file ? [keyFingerprint(file.public_key)] : []));
}

interface FoundFile {
  readonly path: string;
  /** Undefined where it is damaged. */
  readonly file: AuthorityFile | undefined;
}

/** Earlier versions called the newest `authority.json`, and those before it by a number. */
function authorityFiles(owner: KeyOwner): FoundFile[] {
  const folder = dirname(stateFile(owner, "keys", "any"));
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names
    .filter((name) => /^authority(-\w+)?\.json$/.test(name))
    .toSorted()
    .map((name) => {
      const path = join(folder, name);
      return { path, file: parseFile(readPrivate(path, owner) ?? "") };
    });
}

function parseFile(text: string): AuthorityFile | undefined {
  const file = parseJson(text);
  const publicKey = textOf(file, "public_key");
  if (!isRecord(file) || publicKey === undefined || textOf(file, "private_key") === undefined)
    return undefined;
  try {
    createPublicKey(publicKey);
    return isRecord(file["scrypt"]) ? (file as unknown as AuthorityFile) : undefined;
  } catch {
    return undefined;
  }
}

function damagedKey(path: string): CheckpointError {
  const hint =
    "Bring it back from a backup of its folder. What it signed stays good, but without it no agent can be raised or change the policy in the stores that it is the authority of.";
  return damaged(path, "An authority key", hint);
}

function stretched(passphrase: string, { N, r, p, salt }: AuthorityFile["scrypt"]): string {
  const cost = { N, r, p, maxmem: 256 * N * r };
  return scryptSync(passphrase.normalize("NFC"), Buffer.from(salt, "base64"), 32, cost).toString("hex");
}
