import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../capture/environment.ts";
import { statePath } from "../capture/files/folders.ts";

/** Whose state folder it is. */
export interface User {
  readonly env: Environment;
}

/** Records facts that this user trusts in the user's own state folder, where no repository can write. */
export function remember(user: User, facts: readonly string[]): void {
  const file = fileOf(user, facts);
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // The content is for people; only the name is ever checked.
  writeFileSync(file, `${facts.join("\n")}\n`, { mode: 0o600 });
}

export function forget(user: User, facts: readonly string[]): void {
  rmSync(fileOf(user, facts) ?? "", { force: true });
}

export function isRemembered(user: User, facts: readonly string[]): boolean {
  return existsSync(fileOf(user, facts) ?? "");
}

/**
 * Whether this is the first call with this key by any process of this user. If the state folder cannot be written, every
 * call is the first: a warning given twice is better than none.
 */
export function isFirstTime(user: User, key: string): boolean {
  const file = statePath(user.env, "said", digestOf(key).slice(0, 32));
  if (file === undefined) return true;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    closeSync(openSync(file, "wx", 0o600));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const fileOf = ({ env }: User, facts: readonly string[]) =>
  statePath(env, "trusted", digestOf(JSON.stringify(facts)).slice(0, 32));
