import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CheckpointError } from "../../errors.ts";
import { sealWith, UNSEALED, type Sealing } from "../../remote/sealing.ts";
import { stateFolder, type User } from "../remembered.ts";
import { noStateFolder } from "./known-remotes.ts";

const KEY_BYTES = 32;

/** How a key looks where people carry it. */
const FORMAT = "cairn-key-1";

/** Makes a key, keeps it for this user alone, and returns its id. */
export function makeKey(user: User): string {
  return keepKey(user, randomBytes(KEY_BYTES));
}

/** The sealing of a remote; the key must be on this machine. */
export function sealingOf(user: User, keyId: string | null): Sealing {
  return keyId === null ? UNSEALED : sealWith(readKey(user, keyId));
}

/** The key as a text to carry to another machine. */
export function keyText(user: User, keyId: string): string {
  return `${FORMAT} ${Buffer.from(readKey(user, keyId)).toString("base64url")}\n`;
}

/** Keeps a key that was carried here, and returns its id. */
export function keepKeyText(user: User, text: string): string {
  const [format, encoded = "", ...rest] = text.trim().split(/\s+/);
  const key = Buffer.from(encoded, "base64url");
  if (format === FORMAT && key.length === KEY_BYTES && rest.length === 0) return keepKey(user, key);
  throw new CheckpointError("usage", "This is not a key.", {
    hint: "On a machine that has it: checkpoint key export > cairn.key",
  });
}

function keepKey(user: User, key: Uint8Array): string {
  const keyId = sealWith(key).keyId as string;
  const path = pathOf(user, keyId);
  mkdirSync(join(path, ".."), { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, key, { mode: 0o600, flag: "wx", flush: true });
  } catch (error) {
    // The same key is there already: its name follows from it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return keyId;
}

function readKey(user: User, keyId: string): Uint8Array {
  let key: Uint8Array;
  try {
    key = readFileSync(pathOf(user, keyId));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") throw noKey(keyId);
    throw cause;
  }
  if (key.length === KEY_BYTES && sealWith(key).keyId === keyId) return key;
  throw new CheckpointError("corrupt", `The key ${keyId} on this machine is damaged.`, {
    hint: "Move its file away and bring the key over again: checkpoint key import FILE",
    details: { path: pathOf(user, keyId) },
  });
}

function pathOf(user: User, keyId: string): string {
  const folder = stateFolder(user, "keys");
  if (folder === undefined) throw noStateFolder();
  if (!/^[0-9a-f]{16}$/.test(keyId)) throw noKey(keyId.slice(0, 40));
  return join(folder, keyId);
}

function noKey(keyId: string): CheckpointError {
  return new CheckpointError("refused", `The remote is sealed with the key ${keyId}, which is not here.`, {
    hint: "On a machine that has it: checkpoint key export > cairn.key\nThen here: checkpoint key import cairn.key",
    details: { key_id: keyId },
  });
}
