import { createHmac, randomBytes } from "node:crypto";
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../../capture/environment.ts";
import { statePath } from "../../capture/files/folders.ts";
import { readBounded } from "../../capture/files/read-bounded.ts";
import type { SecretMemory } from "../../redaction/find-remembered.ts";
import { writePrivate } from "../../store/write-private.ts";
import { digestOf } from "../remembered.ts";

/** As long as a long session; a token that is still around then is found under its name again. */
const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;
const KEY_BYTES = 32;
const MAX_FILE_BYTES = 256 * 1024;
const LINE = /^([0-9]{13}) ([0-9]{1,3}) ([0-9a-f]{32})$/;

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
  const known = new Set(lines.map((line) => line.slice(14)));
  const lengths = new Set(lines.map((line) => Number(LINE.exec(line)?.[2])));
  let key: Buffer | undefined;
  const entryOf = (token: string) => {
    key ??= keyIn(keyFile);
    return `${token.length} ${createHmac("sha256", key).update(token).digest("hex").slice(0, 32)}`;
  };
  return {
    hasLength: (length) => lengths.has(length),
    has: (token) => known.has(entryOf(token)),
    add(token) {
      const entry = entryOf(token);
      if (known.has(entry)) return;
      known.add(entry);
      lengths.add(token.length);
      lines.push(`${now().getTime()} ${entry}`);
      keep(file, lines);
    },
  };
}

function readLines(file: string | undefined): string[] {
  const text = file === undefined ? undefined : readBounded(file, MAX_FILE_BYTES).bytes?.toString("latin1");
  return (text ?? "").split("\n").filter((line) => LINE.test(line));
}

/** A memory that cannot be written only knows less. */
function keep(file: string | undefined, lines: string[]): void {
  if (file === undefined) return;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // A new line begins on one of its own, also after one that was torn.
    const isLong = lines.length * 64 > MAX_FILE_BYTES / 2;
    if (isLong) {
      lines.splice(0, lines.length - 1000);
      writePrivate(file, lines.join("\n"));
    } else appendFileSync(file, `\n${lines.at(-1)}`, { mode: 0o600 });
  } catch {
    // See above.
  }
}

/** Made once. A key that is torn is replaced: what was kept under it is not recognised any more. */
function keyIn(file: string | undefined): Buffer {
  const fresh = randomBytes(KEY_BYTES);
  if (file === undefined) return fresh;
  try {
    const kept = readFileSync(file);
    if (kept.length === KEY_BYTES) return kept;
  } catch {
    // There is none yet.
  }
  try {
    writePrivate(file, fresh);
    return readFileSync(file);
  } catch {
    return fresh;
  }
}
