import { isAbsolute, join } from "node:path";
import type { Environment } from "../environment.ts";

/** The person's home folder; undefined where there is none, as in some containers. */
export function homeFolder(env: Environment): string | undefined {
  return [env["HOME"], env["USERPROFILE"]].find(isFolder);
}

/**
 * The folder that a variable names, else one in the person's home. A relative one would be another in every place, and
 * a repository could bring it along: it counts for nothing.
 */
export function personalFolder(
  env: Environment,
  variable: string,
  ...usual: readonly string[]
): string | undefined {
  const named = env[variable];
  if (isFolder(named)) return named;
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, ...usual);
}

function isFolder(path: string | undefined): path is string {
  return path !== undefined && isAbsolute(path);
}
