import { hash } from "node:crypto";

/** The SHA-256 of an object's bytes, in lower-case hex. */
export type ObjectId = string & { readonly __brand: "ObjectId" };

/**
 * The name of these bytes. The kind of an object is its first byte, so it is part of what is hashed.
 *
 * @example
 * if (objectIdOf(bytes) !== id) throw damaged(id);
 */
export function objectIdOf(bytes: Uint8Array): ObjectId {
  return hash("sha256", bytes, "hex") as ObjectId;
}

/**
 * Whether this is written like an object's id: 64 lower-case hex digits.
 *
 * @example
 * const ids = names.filter(isObjectId);
 */
export function isObjectId(text: unknown): text is ObjectId {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}
