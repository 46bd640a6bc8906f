import { createHmac, randomBytes } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import type { Environment } from "../../capture/environment.ts";
import { statePath } from "../../capture/files/folders.ts";
import { readBounded, statIfAny } from "../../capture/files/read-bounded.ts";
import type { SecretMemory } from "../../redaction/find-remembered.ts";
import { writePrivate } from "../../store/write-private.ts";
import { digestOf } from "../remembered.ts";

/** As long as a long session; a token that is still around then is found under its name again. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;
const KEY_BYTES = 32;
/** A longer file is written anew, with the newest lines. */
const MAX_FILE_BYTES = 128 * 1024;
const MOST_LINES = 1000;
const LINE = /^[0-9]{13} [0-9]{1,3} [0-9]{1,5} [0-9a-f]{32}$/;

interface Where {
  readonly env: Environment;
  readonly root: string;
  readonly now: () => Date;
}

/**
 * The secrets that were found in a project in the last day, in the user's state folder: for each its length and a hash under a
 * key that is kept beside it. Where that folder cannot be used they are known to this process only.
 */
export function secretMemory({ env, root, now }: Where): SecretMemory {
  const file = statePath(env, "secrets", digestOf(root).slice(0, 32));
  const keyFile = statePath(env, "secrets", "key");
  const oldest = now().getTime() - FORGOTTEN_AFTER_MS;
  const lines = readLines(file).filter((line) => Number(line.slice(0, 13)) > oldest);
  const lengths = new Set<number>();
  const checks = new Set<number>();
  const known = new Set<string>();
  const learn = (line: string) => {
    const [, length, check, hash = ""] = line.split(" ");
    lengths.add(Number(length));
    checks.add(Number(check));
    known.add(hash);
  };
  lines.forEach(learn);
  let read: Buffer | undefined;
  const key = () => (read ??= keyIn(keyFile));
  const hashOf = (token: string) => createHmac("sha256", key()).update(token).digest("hex").slice(0, 32);
  return {
    lengths,
    has: (token) => checks.has(checkOf(token, key())) && known.has(hashOf(token)),
    add(token) {
      const hash = hashOf(token);
      if (known.has(hash)) return;
      const line = `${now().getTime()} ${token.length} ${checkOf(token, key())} ${hash}`;
      learn(line);
      lines.push(line);
      keep(file, lines);
    },
  };
}

/** Sixteen bits of a quick keyed hash (FNV-1a), which says no to most tokens: the slow one takes a hundred times as long. */
function checkOf(token: string, key: Buffer): number {
  let hash = key.readUInt32LE(0);
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x0100_0193);
  return hash >>> 16;
}

function readLines(file: string | undefined): string[] {
  const text =
    file === undefined ? undefined : readBounded(file, MAX_FILE_BYTES, "end").bytes?.toString("latin1");
  return (text ?? "").split("\n").filter((line) => LINE.test(line));
}

/** A memory that cannot be written only knows less. */
function keep(file: string | undefined, lines: readonly string[]): void {
  if (file === undefined) return;
  try {
    if ((statIfAny(file)?.size ?? 0) > MAX_FILE_BYTES)
      writePrivate(file, lines.slice(-MOST_LINES).join("\n"));
    // A new line begins on one of its own, also after one that was torn.
    else appendFileSync(file, `\n${lines.at(-1)}`, { mode: 0o600 });
  } catch {
    // See above.
  }
}

/** Made once. A key that is torn is replaced: what was kept under it is not recognised any more. */
function keyIn(file: string | undefined): Buffer {
  const fresh = randomBytes(KEY_BYTES);
  if (file === undefined) return fresh;
  try {
    const { bytes } = readBounded(file, KEY_BYTES);
    if (bytes?.length === KEY_BYTES) return bytes;
    // Where two processes make one at once, both use that of the first.
    writePrivate(file, fresh, { isNew: bytes === undefined });
    return readFileSync(file);
  } catch {
    return fresh;
  }
}
