import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "../capture/environment.ts";
import { personalFolder } from "../capture/files/home-folder.ts";

/** Whose state folder it is. */
export interface User {
  readonly env: Environment;
}

/** Records facts that this user trusts in the user's own state folder, where no repository can write. */
export function remember(user: User, facts: readonly string[]): void {
  const folder = stateFolder(user);
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The content is for people; only the name is ever checked.
  writeFileSync(join(folder, nameOf(facts)), `${facts.join("\n")}\n`, { mode: 0o600 });
}

export function isRemembered(user: User, facts: readonly string[]): boolean {
  const folder = stateFolder(user);
  return folder !== undefined && existsSync(join(folder, nameOf(facts)));
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const nameOf = (facts: readonly string[]) => digestOf(JSON.stringify(facts)).slice(0, 32);

/** `cairn/trusted` in $XDG_STATE_HOME, or in ~/.local/state. */
function stateFolder({ env }: User): string | undefined {
  const folder = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  return folder && join(folder, "cairn", "trusted");
}
