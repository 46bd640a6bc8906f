import { accessSync, constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { Environment } from "../../machine/environment.ts";
import { statIfAny } from "../../machine/read-bounded.ts";

const NAMES = ["git", "git.exe"];

/**
 * The git that $PATH names, as an absolute path. An empty or relative entry is the folder that git would run in, so a
 * repository could bring a git of its own: such entries are skipped, and left to no lookup of the system's.
 */
export function findGitProgram(env: Environment): string | undefined {
  const path = Object.entries(env).find(([name]) => /^path$/i.test(name))?.[1] ?? "";
  const candidates = path
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return candidates.find(isProgram);
}

function isProgram(path: string): boolean {
  if (!statIfAny(path)?.isFile()) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
