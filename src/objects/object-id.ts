import { hash } from "node:crypto";

/** The SHA-256 of an object's bytes, in lower-case hex. */
export type ObjectId = string & { readonly __brand: "ObjectId" };

/** The name of these bytes. The kind of an object is its first byte, so it is part of what is hashed. */
export function objectIdOf(bytes: Uint8Array): ObjectId {
  return hash("sha256", bytes, "hex") as ObjectId;
}

export function isObjectId(text: unknown): text is ObjectId {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}
