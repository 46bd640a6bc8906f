import { createHash } from "node:crypto";
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Environment } from "../machine/environment.ts";
import { statePath } from "../machine/folders.ts";
import { syncFolder } from "../../core/store/private-files.ts";
import { writePrivate } from "../../core/store/write-private.ts";

/** Whose state folder it is. */
export interface User {
  readonly env: Environment;
}

/** Records facts that this user trusts in the user's own state folder, where no repository can write. */
export function remember(user: User, facts: readonly string[]): void {
  const file = fileOf(user, facts);
  // The content is for people; only the name is ever checked.
  if (file !== undefined) writePrivate(file, `${facts.join("\n")}\n`, { isNew: true });
}

export function forget(user: User, facts: readonly string[]): void {
  const file = fileOf(user, facts);
  if (file === undefined || !existsSync(file)) return;
  rmSync(file, { force: true });
  syncFolder(dirname(file));
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
    return writePrivate(file, "", { isNew: true });
  } catch {
    return true;
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const fileOf = ({ env }: User, facts: readonly string[]) =>
  statePath(env, "trusted", digestOf(JSON.stringify(facts)).slice(0, 32));
