import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

import { CheckpointError } from "../../core/errors.ts";

/** How names and contents look to the owner of the remote. */
export interface Sealing {
  /** What tells this sealing from others, to notice a wrong key. Null where nothing is encrypted. */
  readonly keyId: string | null;
  /** The name that something is kept under. Without the key it says nothing, not even whether two things are equal. */
  nameOf(kind: "packs" | "manifests" | "heads", identity: string | Uint8Array): string;
  /** `name` is bound to the content: what is swapped with something else no longer opens. */
  seal(name: string, bytes: Uint8Array): Uint8Array;
  open(name: string, bytes: Uint8Array): Uint8Array;
}

/** Half a SHA-256: names need not be longer, and heads list many of them. */
const NAME_DIGITS = 32;

/** File systems allow 255 bytes. */
const LONGEST_NAME = 200;

const hashOf = (identity: string | Uint8Array) =>
  createHash("sha256").update(identity).digest("hex").slice(0, NAME_DIGITS);

/** A long one is cut, and told apart by its hash. No trail's name begins so. */
function readableName(trail: string): string {
  const encoded = encodeURIComponent(trail);
  return encoded.length <= LONGEST_NAME ? encoded : `~${hashOf(trail)}`;
}

/** For a remote whose owner may read everything. A trail's name stays readable in the name of its head. */
export const UNSEALED: Sealing = {
  keyId: null,
  nameOf: (kind, identity) =>
    kind === "heads" && typeof identity === "string"
      ? `heads/${readableName(identity)}`
      : `${kind}/${hashOf(identity)}`,
  seal: (_, bytes) => bytes,
  open: (_, bytes) => bytes,
};

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = "aes-256-gcm";

/**
 * Encrypts with AES-256-GCM under a key of 32 random bytes. Names are an HMAC of what they name: machines that share the
 * key find what another one has sent already, and nobody else can tell what it is.
 */
export function sealWith(key: Uint8Array): Sealing {
  const part = (use: string) => new Uint8Array(hkdfSync("sha256", key, "", `cairn remote ${use}`, 32));
  const [contents, names] = [part("contents"), part("names")];
  const macOf = (text: string | Uint8Array) => createHmac("sha256", names).update(text).digest("hex");
  return {
    keyId: macOf("key id").slice(0, 16),
    nameOf: (kind, identity) =>
      `${kind}/${createHmac("sha256", names).update(`${kind}\n`).update(identity).digest("hex").slice(0, NAME_DIGITS)}`,
    seal: (name, bytes) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, contents, nonce).setAAD(Buffer.from(name));
      const sealed = Buffer.concat([cipher.update(bytes), cipher.final()]);
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()]);
    },
    open: (name, bytes) => {
      if (bytes.length < NONCE_BYTES + TAG_BYTES) throw cannotOpen(name);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const tag = bytes.subarray(-TAG_BYTES);
      const decipher = createDecipheriv(CIPHER, contents, nonce).setAAD(Buffer.from(name)).setAuthTag(tag);
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      } catch (cause) {
        throw cannotOpen(name, cause);
      }
    },
  };
}

function cannotOpen(name: string, cause?: unknown): CheckpointError {
  return new CheckpointError("corrupt", `"${name}" on the remote was changed, or sealed with another key.`, {
    hint: "Nothing of it was taken. Which key this machine has: checkpoint remote list\nIf that is the right one, from a machine that has the whole trail: checkpoint push --full",
    details: { name },
    cause,
  });
}
