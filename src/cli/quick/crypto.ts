import type * as Crypto from "node:crypto";
import { canHash, sha256 } from "./sha256.ts";

/**
 * Stands for `node:crypto` in the files that start quickly. Loading that takes five milliseconds, half of what most
 * commands have to do; the kilobytes that a command hashes take less than one.
 */
const native = (): typeof Crypto => process.getBuiltinModule("node:crypto");

/** What is hashed here before loading the real thing is worth it. */
let bytesLeft = 1024 * 1024;

function isWorthLoading(sizeBytes: number): boolean {
  bytesLeft -= sizeBytes;
  return bytesLeft < 0 || !canHash;
}

/** Store and checkpoints each check what they are handed, and hand on the very bytes, which nobody changes. */
const known = new WeakMap<Uint8Array, string>();

export const hash = ((algorithm: string, data: string | Uint8Array, form: "hex") => {
  if (algorithm !== "sha256" || form !== "hex" || typeof data === "string")
    return native().hash(algorithm, data, form);
  const digest =
    known.get(data) ?? (isWorthLoading(data.length) ? native().hash(algorithm, data, form) : sha256(data));
  known.set(data, digest);
  return digest;
}) as typeof Crypto.hash;

export const createHmac = ((algorithm: string, key: Uint8Array) => {
  const parts: Buffer[] = [];
  return {
    update(text: string) {
      parts.push(Buffer.from(text));
      return this;
    },
    digest(form?: BufferEncoding) {
      const digest = this.bytes();
      return form === undefined ? digest : digest.toString(form);
    },
    bytes() {
      const text = Buffer.concat(parts);
      const isOurs = algorithm === "sha256" && key.length <= BLOCK_BYTES;
      if (isOurs && !isWorthLoading(text.length)) return hmac(key, text);
      return native().createHmac(algorithm, key).update(text).digest();
    },
  };
}) as unknown as typeof Crypto.createHmac;

const BLOCK_BYTES = 64;

/** RFC 2104, with a key of one block at most. */
function hmac(key: Uint8Array, text: Uint8Array): Buffer {
  const padded = (mask: number) => Uint8Array.from({ length: BLOCK_BYTES }, (_, at) => (key[at] ?? 0) ^ mask);
  const digest = (...parts: Uint8Array[]) => Buffer.from(sha256(Buffer.concat(parts)), "hex");
  return digest(padded(0x5c), digest(padded(0x36), text));
}

export const createHash: typeof Crypto.createHash = (...args) => native().createHash(...args);
export const randomBytes = ((size: number) => native().randomBytes(size)) as typeof Crypto.randomBytes;
export const randomInt = ((from: number, to: number) =>
  native().randomInt(from, to)) as typeof Crypto.randomInt;
export const randomUUID: typeof Crypto.randomUUID = (...args) => native().randomUUID(...args);
