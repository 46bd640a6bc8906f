import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../capture/environment.ts";
import { personalFolder } from "../capture/files/folders.ts";

/** Whose state folder it is. */
export interface User {
  readonly env: Environment;
}

/** Records facts that this user trusts in the user's own state folder, where no repository can write. */
export function remember(user: User, facts: readonly string[]): void {
  const folder = stateFolder(user, "trusted");
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The content is for people; only the name is ever checked.
  writeFileSync(join(folder, nameOf(facts)), `${facts.join("\n")}\n`, { mode: 0o600 });
}

export function forget(user: User, facts: readonly string[]): void {
  const folder = stateFolder(user, "trusted");
  if (folder !== undefined) rmSync(join(folder, nameOf(facts)), { force: true });
}

export function isRemembered(user: User, facts: readonly string[]): boolean {
  const folder = stateFolder(user, "trusted");
  return folder !== undefined && existsSync(join(folder, nameOf(facts)));
}

/**
 * Whether this is the first call with this key by any process of this user. If the state folder cannot be written, every
 * call is the first: a warning given twice is better than none.
 */
export function isFirstTime(user: User, key: string): boolean {
  const folder = stateFolder(user, "said");
  if (folder === undefined) return true;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    closeSync(openSync(join(folder, digestOf(key).slice(0, 32)), "wx", 0o600));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const nameOf = (facts: readonly string[]) => digestOf(JSON.stringify(facts)).slice(0, 32);

/** `cairn` in $XDG_STATE_HOME, or in ~/.local/state. */
export function stateFolder(
  { env }: User,
  name: "trusted" | "said" | "remotes" | "keys",
): string | undefined {
  const folder = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  return folder && join(folder, "cairn", name);
}
