import { createHash } from "node:crypto";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { personalFolder } from "../capture/files/home-folder.ts";
import type { Project } from "./project.ts";

/**
 * Whether this is the first call with this key by any process of this user. Recorded in the user's state folder; if that
 * cannot be written, every call is the first: a warning given twice is better than none.
 */
export function isFirstTime({ env }: Pick<Project, "env">, key: string): boolean {
  const state = personalFolder(env, "XDG_STATE_HOME", ".local", "state");
  if (state === undefined) return true;
  const folder = join(state, "cairn", "said");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
    closeSync(openSync(join(folder, name), "wx", 0o600));
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "EEXIST";
  }
}
