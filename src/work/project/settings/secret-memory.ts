import { createHmac, randomBytes } from "node:crypto";
import { appendFileSync, readFileSync } from "node:fs";
import type { Environment } from "../../machine/environment.ts";
import { statePath } from "../../machine/folders.ts";
import { readBounded, statIfAny } from "../../machine/read-bounded.ts";
import { MAX_LENGTH, type SecretMemory } from "../../../core/redaction/find-remembered.ts";
import { writePrivate } from "../../../core/store/write-private.ts";
import { digestOf } from "../remembered.ts";

/** As long as a long session; a token that is still around then is found under its name again. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;
const KEY_BYTES = 32;
/** A longer file is written anew, with the newest lines. */
const MAX_FILE_BYTES = 128 * 1024;
const MOST_LINES = 1000;
const LINE = /^[0-9]{13} [0-9]{1,3} -?[0-9]{1,10} [0-9a-f]{32}$/;

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
  const known = new Set<string>();
  const checks = new Set<number>();
  const isLength = new Uint8Array(MAX_LENGTH + 1);
  let longest = 0;
  const learn = (line: string) => {
    const [, length, check, hash = ""] = line.split(" ");
    isLength[Number(length)] = 1;
    longest = Math.max(longest, Number(length));
    checks.add(Number(check));
    known.add(hash);
  };
  lines.forEach(learn);
  let read: Buffer | undefined;
  const key = () => (read ??= keyIn(keyFile));
  const hashOf = (token: string) => createHmac("sha256", key()).update(token).digest("hex").slice(0, 32);
  return {
    isEmpty: () => known.size === 0,
    lengthAt(text, start, end) {
      let check = firstCheck(key());
      const most = Math.min(end - start, longest);
      for (let length = 1; length <= most; length += 1) {
        check = nextCheck(check, text.charCodeAt(start + length - 1));
        if (isLength[length] === 0 || !checks.has(check)) continue;
        if (known.has(hashOf(text.slice(start, start + length)))) return length;
      }
      return 0;
    },
    add(token) {
      const hash = hashOf(token);
      if (known.has(hash)) return;
      let check = firstCheck(key());
      for (let at = 0; at < token.length; at += 1) check = nextCheck(check, token.charCodeAt(at));
      const line = `${now().getTime()} ${token.length} ${check} ${hash}`;
      learn(line);
      lines.push(line);
      keep(file, lines);
    },
  };
}

// A quick keyed hash (FNV-1a) rules out nearly everything: the slow one at each word of a text would take a hundred times as long.
const firstCheck = (key: Buffer): number => key.readInt32LE(0);
const nextCheck = (check: number, code: number): number => Math.imul(check ^ code, 0x0100_0193);

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
